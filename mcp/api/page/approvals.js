// The cards of calls that wait for an answer.

import { ask } from "./api.js";
import { alarm, h, newID, say } from "./dom.js";

const cards = new Map(); // by id
let place = null;

export const approvals = {
  start(element) {
    place = element;
    setInterval(tick, 1000);
  },

  // heed takes an event over.
  heed({ id, status }) {
    if (status === "pending") this.refresh();
    else close(id);
  },

  async refresh() {
    const { approvals: list } = await ask("GET", "/mcp/approvals").catch(() => ({ approvals: [] }));
    for (const id of cards.keys()) {
      if (!list.some((p) => p.id === id)) close(id);
    }
    for (const p of list) {
      if (cards.has(p.id)) continue;
      const c = card(p);
      cards.set(p.id, c);
      place.append(c.element);
      alarm(`${p.serverName} asks: may ${p.tool} be called? The answer stands at the end of the page.`);
    }
    tick();
    title();
  },
};

function title() {
  document.title = cards.size > 0 ? `(${cards.size}) mcp-replay asks` : "mcp-replay";
}

function close(id) {
  const c = cards.get(id);
  if (!c) return;
  const focused = c.element.contains(document.activeElement);
  cards.delete(id);
  c.element.remove();
  title();
  if (focused) (place.querySelector("button.allow") ?? document.getElementById("detail")).focus();
}

function tick() {
  for (const { expires, clock } of cards.values()) {
    const left = Math.max(0, Math.round((expires - Date.now()) / 1000));
    clock.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  }
}

function card(p) {
  const title = newID(), remember = newID();
  const box = h("input", { type: "checkbox", id: remember });
  const clock = h("span", { class: "clock", title: "Without an answer the call is refused" });
  const error = h("p", { class: "error", role: "alert" });
  const answer = async (event, word) => {
    event.currentTarget.disabled = true;
    try {
      await ask("POST", `/mcp/approvals/${encodeURIComponent(p.id)}`, JSON.stringify({ answer: word, remember: word === "allow" && box.checked }));
      say(word === "allow" ? `${p.tool} is allowed.` : `${p.tool} is refused.`);
    } catch (problem) {
      say(problem.message);
    }
    close(p.id);
  };
  const sent = p.arguments === undefined ? "" : JSON.stringify(p.arguments, null, 2);
  const element = h("article", { class: "approval", "aria-labelledby": title, "data-rule": p.rule },
    h("header", {}, h("h2", { id: title }, "May ", h("code", {}, p.tool), " be called?"), clock),
    h("p", { class: "whose" }, "of ", h("b", {}, p.serverName), p.title && p.title !== p.tool ? ` · ${p.title}` : ""),
    p.description && h("p", { class: "description" }, p.description.length > 300 ? `${p.description.slice(0, 300)}…` : p.description),
    h("p", { class: "label" }, "What will be sent"),
    h("pre", { tabindex: "0" }, sent === "" || sent === "{}" ? "no arguments" : sent),
    h("p", { class: "why" }, h("b", {}, "Why it asks"), `: ${p.why} `, h("span", { class: "rule" }, p.rule)),
    p.mayRemember
      ? h("p", { class: "check" }, box, h("label", { for: remember }, "Allow this tool until the host ends"))
      : h("p", { class: "hint" }, "Such a tool asks each time: the answer is not remembered."),
    h("div", { class: "actions" },
      h("button", { class: "primary allow", onclick: (e) => answer(e, "allow") }, "Allow"),
      h("button", { class: "deny", onclick: (e) => answer(e, "deny") }, "Refuse")),
    error);
  return { element, clock, expires: Date.parse(p.expires) };
}
