// One tool: what it is, what a call of it would meet and why, and the form to call it.

import { ask } from "./api.js";
import { argumentsForm } from "./form.js";
import { fill, h, say } from "./dom.js";

const decisions = { allow: "runs", ask: "asks", deny: "refused" };

export function toolView(tool) {
  const pill = h("span", { class: "pill" });
  const why = h("p", { class: "why" });
  const body = h("div", { class: "body" });
  const own = ownDescription(tool);
  const summary = h("summary", { "data-key": `tool ${tool.name}` },
    h("code", { class: "name" }, tool.tool), h("span", { class: "brief" }, own.split("\n")[0]), pill);
  const details = h("details", {}, summary, body);
  details.addEventListener("toggle", () => details.open && body.childElementCount === 0 && fill(body, ...open(tool, own, why)));
  const decide = (t) => {
    pill.dataset.decision = t.decision;
    pill.textContent = decisions[t.decision] ?? t.decision;
    pill.title = `${t.why} (${t.rule})`;
    fill(why, h("b", {}, { allow: "A call runs", ask: "A call asks you first", deny: "A call is refused" }[t.decision] ?? t.decision),
      `: ${t.why} `, h("span", { class: "rule" }, t.rule));
  };
  decide(tool);
  const identity = same(tool);
  return {
    element: h("li", {}, details),
    text: `${tool.tool} ${tool.title ?? ""} ${own}`.toLowerCase(),
    // take takes another decision over; false where the tool itself is another one.
    take: (t) => {
      if (same(t) !== identity) return false;
      decide(t);
      return true;
    },
  };
}

const same = (t) => JSON.stringify({ ...t, decision: 0, rule: 0, why: 0, mayRemember: 0 });

// ownDescription is the server's, without what the host puts before it.
const ownDescription = (tool) => tool.description.replace(/^\[MCP [^\n]*?\] /, "");

function open(tool, own, why) {
  const form = argumentsForm(tool.inputSchema);
  const call = h("button", { class: "primary" }, "Call");
  const stop = h("button", { type: "button", hidden: true }, "Give up");
  const result = h("div", { class: "result", role: "status" });
  let control = null;
  stop.addEventListener("click", () => control?.abort());
  const send = async (event) => {
    event.preventDefault();
    let args;
    try {
      args = form.read();
    } catch {
      return; // it is said beside the field
    }
    control = new AbortController();
    call.disabled = true;
    stop.hidden = false;
    fill(result, h("p", { class: "waiting" }, "Waiting for the result, or for an approval…"));
    try {
      const answer = await ask("POST", `/mcp/tools/${encodeURIComponent(tool.name)}/call`, `{"arguments":${args}}`, control.signal);
      fill(result, ...outcome(answer));
    } catch (problem) {
      fill(result, h("p", { class: "verdict", "data-failed": "true" }, problem.name === "AbortError" ? "Given up" : problem.message));
    }
    call.disabled = false;
    stop.hidden = true;
  };
  return [
    own && h("p", { class: "description" }, own), why,
    h("form", { onsubmit: send, novalidate: true, "aria-label": `Call ${tool.tool}` }, form.element, h("div", { class: "actions" }, call, stop)),
    result,
    h("details", { class: "schema" }, h("summary", {}, "As the server tells it"), h("p", { class: "hint" }, "Host name ", h("code", {}, tool.name)),
      h("pre", { tabindex: "0" }, JSON.stringify({ inputSchema: tool.inputSchema, outputSchema: tool.outputSchema, annotations: tool.annotations }, null, 2))),
  ];
}

function outcome(answer) {
  const word = answer.failed ? "Failed" : "Done";
  const time = answer.durationMs < 1 ? "under 1 ms" : answer.durationMs < 1000 ? `${Math.round(answer.durationMs)} ms` : `${(answer.durationMs / 1000).toFixed(1)} s`;
  say(`${word}: ${answer.tool}`);
  return [
    h("p", { class: "verdict", "data-failed": String(answer.failed) }, word, answer.error ? "" : h("span", { class: "time" }, time)),
    answer.text !== "" && h("pre", { tabindex: "0" }, answer.text),
    answer.structured !== undefined && JSON.stringify(answer.structured) !== answer.text &&
      h("details", { class: "schema" }, h("summary", {}, "Structured"), h("pre", { tabindex: "0" }, JSON.stringify(answer.structured, null, 2))),
  ];
}
