// The list of what has happened, the newest first.

import { h, plural } from "./dom.js";

const most = 200;
const at = (id) => document.getElementById(id);

export function note({ type, data }) {
  const [look, ...text] = tell(type, data);
  const time = new Date();
  const entry = h("li", { "data-look": look },
    h("time", { datetime: time.toISOString() }, time.toLocaleTimeString([], { hour12: false })),
    h("span", { class: "dot", "aria-hidden": "true" }), h("p", {}, ...text));
  at("events-none").hidden = true;
  at("events").prepend(entry);
  while (at("events").childElementCount > most) at("events").lastElementChild.remove();
}

function tell(type, d) {
  const name = h("b", {}, d.name ?? d.id ?? "");
  switch (type) {
    case "mcp.connected":
      return ["good", name, ` connected, with ${plural(d.tools, "tool")}`];
    case "mcp.disconnected":
      return ["idle", name, " disconnected: ", d.reason];
    case "mcp.error":
      return ["bad", name, " failed: ", d.error];
    case "mcp.tools":
      return ["idle", name, " changed its tools", changes(d)];
    case "mcp.approval":
      return [{ pending: "ask", allowed: "good", denied: "bad" }[d.status] ?? "idle", h("code", {}, d.name), ` ${{
        pending: "waits for your answer", allowed: "was allowed", denied: "was refused",
        expired: "was not answered in time", withdrawn: "is not wanted any more",
      }[d.status] ?? d.status}`];
  }
  return ["idle", type];
}

function changes(d) {
  const parts = [];
  for (const [word, list] of [["added", d.added], ["removed", d.removed], ["changed", d.changed?.map((c) => c.tool)]]) {
    if (list?.length) parts.push(`${word} ${list.slice(0, 5).join(", ")}${list.length > 5 ? "…" : ""}`);
  }
  if (d.changed?.some((c) => c.forgotten)) parts.push("and what you allowed before is forgotten");
  return parts.length > 0 ? `: ${parts.join("; ")}` : "";
}
