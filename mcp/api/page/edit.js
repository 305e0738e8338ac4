// The form that adds or changes a server.

import { ask } from "./api.js";
import { h, newID } from "./dom.js";

const lines = (text) => text.split("\n").map((line) => line.trim()).filter(Boolean);
const written = (table, between) => Object.entries(table ?? {}).map(([name, value]) => `${name}${between}${value}`).join("\n");

// words reads an argument a line, as it stands.
const words = (text) => (text.trimEnd() === "" ? [] : text.replace(/\n+$/, "").split("\n"));

// table reads NAME=value lines, or "Name: value" lines.
function table(text, between) {
  return Object.fromEntries(lines(text).map((line) => {
    const at = line.indexOf(between);
    return at < 0 ? [line, ""] : [line.slice(0, at).trim(), line.slice(at + between.length).trim()];
  }));
}

export function serverForm(server, { taken, saved, cancelled }) {
  const controls = {};
  const field = (name, label, hint, control) => {
    const id = newID();
    control.id = id;
    controls[name] = control;
    control.setAttribute("aria-describedby", `${id}-hint ${id}-error`);
    control.error = h("p", { class: "error", id: `${id}-error` });
    return h("div", { class: "field" }, h("label", { for: id }, label), h("p", { class: "hint", id: `${id}-hint` }, hint), control, control.error);
  };
  const input = (value, more = {}) => h("input", { value: value ?? "", autocomplete: "off", spellcheck: "false", ...more });
  const area = (value, rows = "3") => {
    const element = h("textarea", { rows, class: "code", spellcheck: "false" });
    element.value = value ?? "";
    return element;
  };
  const on = server?.transport ?? "stdio";
  const radio = (value, label, hint) => {
    const id = newID();
    return h("div", { class: "choice" },
      h("input", { type: "radio", name: "transport", value, id, checked: on === value, onchange: () => choose(value) }),
      h("label", { for: id }, h("b", {}, label), h("span", { class: "hint" }, hint)));
  };
  const stdio = h("div", { class: "fields" },
    field("command", "Command", "The program to start.", input(server?.command)),
    field("args", "Arguments", "One a line.", area((server?.args ?? []).join("\n"))),
    field("env", "Environment", "NAME=value, one a line. Secrets are best written ${env:NAME}.", area(written(server?.env, "="))),
    field("cwd", "Folder", "To start it in; empty is the host's own.", input(server?.cwd)));
  const http = h("div", { class: "fields" },
    field("url", "Address", "https://, or http:// on this machine.", input(server?.url, { inputmode: "url" })),
    field("headers", "Headers", "Name: value, one a line. Secrets are best written ${env:NAME}.", area(written(server?.headers, ": "))));
  let transport = on;
  const choose = (value) => {
    transport = value;
    stdio.hidden = value !== "stdio";
    http.hidden = value !== "http";
  };
  choose(on);
  const enabled = h("input", { type: "checkbox", checked: server?.enabled ?? true, id: newID() });
  const problem = h("p", { class: "error", role: "alert" });
  const save = h("button", { class: "primary" }, server ? "Save" : "Add server");

  const read = () => {
    const body = { id: server?.id ?? controls.id.value.trim(), transport, enabled: enabled.checked };
    if (controls.name.value.trim() || server) body.name = controls.name.value.trim() || null;
    const timeout = controls.timeout.value.trim();
    body.timeout = timeout === "" ? null : /^\d+$/.test(timeout) ? Number(timeout) : timeout;
    body.auto_approve = lines(controls.auto_approve.value);
    if (transport === "stdio") {
      Object.assign(body, {
        command: controls.command.value.trim(), args: words(controls.args.value), env: table(controls.env.value, "="), cwd: controls.cwd.value.trim(),
      });
    } else {
      Object.assign(body, { url: controls.url.value.trim(), headers: table(controls.headers.value, ":") });
    }
    return body;
  };

  // changed leaves out what is as it was: what a form cannot show well stays untouched.
  const changed = () => Object.fromEntries(Object.entries(read()).filter(([name, value]) =>
    name === "id" || !server || JSON.stringify(value) !== JSON.stringify(before[name])));

  const submit = async (event) => {
    event.preventDefault();
    problem.textContent = "";
    for (const control of Object.values(controls)) {
      control.removeAttribute("aria-invalid");
      control.error.textContent = "";
    }
    if (!server && taken(controls.id.value.trim())) {
      controls.id.setAttribute("aria-invalid", "true");
      controls.id.error.textContent = "A server has this id already. Choose another, or edit that one.";
      controls.id.focus();
      return;
    }
    save.disabled = true;
    try {
      saved(await ask("POST", "/mcp/servers", JSON.stringify(changed())));
    } catch (wrong) {
      problem.textContent = wrong.message;
      const control = controls[wrong.field?.split(/[.[]/)[0]];
      if (control) {
        control.setAttribute("aria-invalid", "true");
        control.error.textContent = wrong.message;
        problem.textContent = "";
        control.focus();
      }
    }
    save.disabled = false;
  };

  const id = server ? [] : [field("id", "Id", "a-z, 0-9, - and _; the tools' names begin with it.", input("", { required: true, "data-first": true, maxlength: "32" }))];
  const form = h("form", { class: "edit", onsubmit: submit, novalidate: true },
    h("h2", {}, server ? `Edit ${server.name}` : "Add a server"),
    h("div", { class: "fields two" }, id, field("name", "Name", "For people; empty is the id.", input(server && server.name !== server.id ? server.name : "", { "data-first": Boolean(server) }))),
    h("fieldset", {}, h("legend", {}, "How it is reached"),
      h("div", { class: "choices" }, radio("stdio", "A command", "on this machine"), radio("http", "An address", "Streamable HTTP"))),
    stdio, http,
    h("div", { class: "fields two" },
      field("timeout", "Seconds a call may take", "1 to 600; empty is 60.", input(server ? String(server.timeout) : "", { inputmode: "numeric" })),
      field("auto_approve", "Tools approved by name", "One a line; a tool that can destroy asks anyway.", area((server?.auto_approve ?? []).join("\n"), "2"))),
    h("p", { class: "check" }, enabled, h("label", { for: enabled.id }, "Connect it now and whenever the host starts")),
    problem,
    h("div", { class: "actions" }, save, h("button", { type: "button", onclick: cancelled }, "Cancel")));
  const before = server ? read() : {};
  return form;
}
