// A form for the arguments of a tool, made from its JSON schema.

import { h, newID } from "./dom.js";

// argumentsForm gives the fields, and read(), which gives the arguments as JSON text; it throws where a field is wrong,
// having said so beside it.
export function argumentsForm(schema) {
  const properties = Object.entries(isObject(schema?.properties) ? schema.properties : {});
  const required = Array.isArray(schema?.required) ? schema.required : [];
  const other = ["anyOf", "oneOf", "allOf", "$ref", "patternProperties"].some((key) => schema?.[key] !== undefined) ||
    isObject(schema?.additionalProperties);
  if (properties.length === 0 && !other) {
    return { element: h("p", { class: "none" }, "It takes no arguments."), read: () => "{}" };
  }
  const fields = properties.map(([name, of]) => field(name, isObject(of) ? of : {}, required.includes(name)));
  const whole = field("arguments", { type: "object", description: "All arguments, as one JSON object." }, false);
  const form = h("div", { class: "fields" }, fields.map((f) => f.element));
  let raw = properties.length === 0;
  const toggle = h("button", { type: "button", class: "link" });
  toggle.addEventListener("click", () => {
    if (!raw) {
      try {
        whole.set(JSON.stringify(JSON.parse(join(fields)), null, 2));
      } catch {
        whole.set("{}");
      }
    }
    show(!raw);
  });
  const show = (to) => {
    raw = to;
    form.hidden = raw;
    whole.element.hidden = !raw;
    toggle.textContent = raw ? "Fill in the fields instead" : "Write JSON instead";
  };
  show(raw);
  return {
    element: h("div", { class: "arguments" }, form, whole.element, properties.length > 0 && toggle),
    read: () => (raw ? whole.value() ?? "{}" : join(fields)),
  };
}

const isObject = (v) => typeof v === "object" && v !== null && !Array.isArray(v);

// join writes the object; each value is JSON already.
function join(fields) {
  const members = [];
  let wrong = null;
  for (const f of fields) {
    try {
      const value = f.value();
      if (value !== undefined) members.push(`${JSON.stringify(f.name)}:${value}`);
    } catch (problem) {
      wrong ??= { f, problem };
    }
  }
  if (wrong) {
    wrong.f.focus();
    throw wrong.problem;
  }
  return `{${members.join(",")}}`;
}

// kindOf tells which control fits.
function kindOf(schema) {
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return "enum";
  const types = [schema.type].flat().filter((t) => t !== "null");
  if (types.length !== 1) return "json";
  return { string: "string", number: "number", integer: "number", boolean: "boolean" }[types[0]] ?? "json";
}

function field(name, schema, required) {
  const kind = kindOf(schema), id = newID();
  const control = controlFor(kind, name, schema, id, required);
  const about = [schema.description, kind === "json" && name !== "arguments" && "As JSON.", bounds(schema)].filter((t) => typeof t === "string" && t);
  const error = h("p", { class: "error", id: `${id}-error`, role: "alert" });
  if (schema.default !== undefined && kind !== "enum" && kind !== "boolean") {
    control.setAttribute("placeholder", typeof schema.default === "string" ? schema.default : JSON.stringify(schema.default));
  }
  const element = h("div", { class: "field" },
    h("label", { for: id }, h("span", {}, name), required && h("span", { class: "required" }, "required"),
      h("span", { class: "type" }, typeName(schema, kind))),
    about.length > 0 && h("p", { class: "hint", id: `${id}-hint` }, about.map((text) => (/[.!?:]$/.test(text) ? text : `${text}.`)).join(" ")), control, error);
  control.setAttribute("aria-describedby", [about.length > 0 && `${id}-hint`, `${id}-error`].filter(Boolean).join(" "));
  const fail = (text) => {
    control.setAttribute("aria-invalid", "true");
    error.textContent = text;
    throw new Error(`${name}: ${text}`);
  };
  control.addEventListener("input", () => {
    control.removeAttribute("aria-invalid");
    error.textContent = "";
  });
  return {
    name, element,
    focus: () => control.focus(),
    set: (text) => { control.value = text; },
    value: () => {
      control.removeAttribute("aria-invalid");
      error.textContent = "";
      return read(kind, schema, control, required, fail);
    },
  };
}

function typeName(schema, kind) {
  if (kind === "enum") return "one of";
  const type = [schema.type].flat().filter(Boolean).join(" or ");
  return type || "any JSON";
}

function bounds(schema) {
  const { minimum: low, maximum: high } = schema;
  if (typeof low === "number" && typeof high === "number") return `From ${low} to ${high}.`;
  if (typeof low === "number") return `At least ${low}.`;
  if (typeof high === "number") return `At most ${high}.`;
  return "";
}

function controlFor(kind, name, schema, id, required) {
  const properties = { id, "aria-required": required ? "true" : undefined, spellcheck: "false", autocomplete: "off" };
  const unset = h("option", { value: "" }, required ? "Choose…" : "Leave out");
  switch (kind) {
    case "enum":
      return h("select", properties, unset, schema.enum.map((v, i) => h("option", { value: String(i) }, typeof v === "string" ? v : JSON.stringify(v))));
    case "boolean":
      return h("select", properties, unset, h("option", { value: "true" }, "true"), h("option", { value: "false" }, "false"));
    case "number":
      return h("input", { ...properties, inputmode: "decimal" });
    case "json":
      return h("textarea", { ...properties, rows: "3", class: "code" });
  }
  const long = schema.maxLength > 200 || /text|content|body|message|code|diff|markdown/i.test(name);
  return long ? h("textarea", { ...properties, rows: "3" }) : h("input", properties);
}

const number = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

// read gives a control's value as JSON text, undefined where it is left out.
function read(kind, schema, control, required, fail) {
  const text = control.value;
  if (text === "") return required ? fail("A value is needed.") : undefined;
  switch (kind) {
    case "enum":
      return JSON.stringify(schema.enum[Number(text)]);
    case "boolean":
      return text;
    case "number":
      return number.test(text.trim()) ? text.trim() : fail("This is no number.");
    case "string":
      return JSON.stringify(text);
  }
  try {
    JSON.parse(text);
  } catch {
    return fail("This is not JSON.");
  }
  return text;
}
