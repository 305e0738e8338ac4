// One server: how it is, what can be done with it, and its tools.

import { ask } from "./api.js";
import { alarm, fill, h, nameOf, newID, plain, plural, say } from "./dom.js";
import { toolView } from "./tool.js";

const words = {
  connected: "Connected", connecting: "Connecting…", disconnected: "Not connected", failed: "Failed",
  disabled: "Disabled", "needs credentials": "Needs credentials",
};

export function detail({ refresh, edit, removed }) {
  let current = null; // the id of the server whose parts these are
  let parts = null;

  async function act(button, path, method, body) {
    button.disabled = true;
    parts.error.textContent = "";
    try {
      return await ask(method, path, body);
    } catch (problem) {
      parts.error.textContent = problem.message;
      alarm(problem.message);
      return undefined;
    } finally {
      button.disabled = false;
      refresh();
    }
  }

  function buttons(s) {
    if (!s.id) return []; // nothing can be done with it but in the file
    const path = `/mcp/servers/${encodeURIComponent(s.id)}`;
    const list = [];
    if (s.state === "connected" || s.state === "connecting") {
      list.push(h("button", { "data-key": "connect", onclick: (e) => act(e.currentTarget, `${path}/disconnect`, "POST") }, "Disconnect"));
    } else if (s.enabled) {
      list.push(h("button", {
        class: "primary", "data-key": "connect",
        onclick: async (e) => {
          setTimeout(refresh, 50); // to show that it connects
          if (await act(e.currentTarget, `${path}/connect`, "POST")) say(`${s.name} is connected.`);
        },
      }, "Connect"));
    }
    list.push(h("button", {
      class: s.enabled ? "" : "primary", "data-key": "enable",
      onclick: (e) => act(e.currentTarget, "/mcp/servers", "POST", JSON.stringify({ id: s.id, enabled: !s.enabled })),
    }, s.enabled ? "Disable" : "Enable"));
    list.push(h("button", { "data-key": "edit", onclick: edit }, "Edit"));
    if (!s.built_in) list.push(removal(s, path));
    return list;
  }

  // removal asks once more before it removes.
  function removal(s, path) {
    const box = h("span", { class: "confirm" });
    const rest = () => fill(box, h("button", { class: "danger", "data-key": "remove", onclick: sure }, "Remove"));
    const sure = () => {
      const cancel = h("button", { "data-key": "keep", onclick: () => { rest(); box.firstChild.focus(); } }, "Keep it");
      const yes = h("button", {
        class: "danger solid", "data-key": "really",
        onclick: async (e) => {
          if (await act(e.currentTarget, path, "DELETE") === null) {
            say(`${s.name} is removed.`);
            removed();
          }
        },
      }, `Remove ${s.name}`);
      fill(box, yes, cancel);
      cancel.focus();
    };
    rest();
    return box;
  }

  function build(s) {
    parts = {
      title: h("h2", {}), status: h("p", { class: "status" }), reason: h("p", { class: "reason" }), actions: h("div", { class: "actions" }),
      error: h("p", { class: "error" }), facts: h("dl", { class: "about" }), filter: null, tools: h("ul", { class: "tools" }),
      none: h("p", { class: "none" }), count: h("h3", {}), views: new Map(), seen: "",
    };
    const id = newID();
    parts.filter = h("input", { id, type: "search", placeholder: "Filter", autocomplete: "off", spellcheck: "false", oninput: narrow });
    parts.search = h("div", { class: "search" }, h("label", { for: id, class: "unseen" }, "Filter the tools"), parts.filter);
    current = s.id;
    return [
      h("div", { class: "title" }, h("div", {}, parts.title, parts.status), parts.actions),
      parts.reason, parts.error, parts.facts,
      h("div", { class: "head" }, parts.count, parts.search), parts.tools, parts.none,
    ];
  }

  function narrow() {
    const wanted = parts.filter.value.trim().toLowerCase();
    let left = 0;
    for (const view of parts.views.values()) {
      view.element.hidden = wanted !== "" && !view.text.includes(wanted);
      if (!view.element.hidden) left++;
    }
    parts.none.textContent = parts.views.size === 0 ? nothing : left === 0 ? "No tool has that in its name or description." : "";
  }
  let nothing = "";

  function describe(s) {
    const rows = [];
    const row = (name, ...value) => rows.push(h("dt", {}, name), h("dd", {}, ...value));
    if (s.command) row("Command", h("code", {}, [s.command, ...(s.args ?? [])].join(" ")));
    if (s.url) row("Address", h("code", {}, s.url));
    if (s.cwd) row("Folder", h("code", {}, s.cwd));
    for (const [label, table] of [["Environment", s.env], ["Headers", s.headers]]) {
      if (table) row(label, ...Object.keys(table).map((name) => h("code", { class: "chip" }, name)));
    }
    if (s.server) row("Calls itself", `${s.server.title || s.server.name} ${s.server.version}`);
    if (s.protocolVersion) row("Protocol", s.protocolVersion);
    row("Calls may take", plural(s.timeout, "second"));
    if (s.auto_approve.length > 0) row("Approved by name", ...s.auto_approve.map((name) => h("code", { class: "chip" }, name)));
    if (s.omitted) row("Left out", plural(s.omitted, "more tool"));
    if (s.noise) row("Noise on stdout", plural(s.noise, "line"), h("code", {}, s.noiseSample ?? ""));
    for (const text of s.notes ?? []) row("Note", text);
    return rows;
  }

  async function show(place, s) {
    if (!s) {
      current = null;
      fill(place, h("p", { class: "none" }, "No server is chosen."));
      return;
    }
    if (current !== s.id || !place.contains(parts.title)) fill(place, ...build(s));
    const mine = parts;
    const now = JSON.stringify(s);
    if (now !== mine.seen) {
      mine.seen = now;
      mine.title.textContent = plain(nameOf(s));
      mine.status.dataset.state = s.state;
      fill(mine.status, h("span", { class: "dot", "aria-hidden": "true" }), words[s.state] ?? s.state,
        s.id && h("span", { class: "id" }, s.id), s.built_in && h("span", { class: "id" }, "built in"));
      mine.reason.textContent = plain(s.error);
      if (!mine.actions.querySelector(".solid")) fill(mine.actions, buttons(s));
      fill(mine.facts, describe(s));
    }
    const { tools } = s.id ? await ask("GET", `/mcp/servers/${encodeURIComponent(s.id)}/tools`).catch(() => ({ tools: [] })) : { tools: [] };
    if (mine !== parts || current !== s.id) return;
    renderTools(tools);
    nothing = !s.id ? "Mend the settings file: nothing can be done with it here." : s.state === "connected" ? "It offers no tools." : s.enabled ? "Its tools are known once it is connected." : "A disabled server offers no tools.";
    narrow();
  }

  // renderTools keeps what is open as it is, as long as the tool is the same.
  function renderTools(tools) {
    parts.count.textContent = tools.length > 0 ? plural(tools.length, "tool") : "Tools";
    parts.search.hidden = tools.length < 6;
    const views = new Map();
    for (const tool of tools) {
      const old = parts.views.get(tool.name);
      views.set(tool.name, old?.take(tool) ? old : toolView(tool));
    }
    const before = [...parts.views.values()], after = [...views.values()];
    parts.views = views;
    if (after.length !== before.length || after.some((view, i) => view !== before[i])) {
      fill(parts.tools, after.map((view) => view.element));
    }
  }

  return { show };
}
