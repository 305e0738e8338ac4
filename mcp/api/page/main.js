// The page: what the host knows, as it happens.

import { ask, dropToken, follow, keepToken, takeToken } from "./api.js";
import { fill, h, nameOf, say } from "./dom.js";
import { approvals } from "./approvals.js";
import { note } from "./events.js";
import { serverForm } from "./edit.js";
import { detail } from "./detail.js";

const at = (id) => document.getElementById(id);

const state = { servers: [], chosen: null, adding: false, editing: false };
let timer = 0;

start();

function start() {
  at("token-form").addEventListener("submit", (event) => {
    event.preventDefault();
    keepToken(at("token").value.trim());
    enter();
  });
  at("add").addEventListener("click", () => show({ adding: true, editing: false }));
  addEventListener("hashchange", () => location.hash.startsWith("#token=") && takeToken() && enter());
  takeToken() ? enter() : door("");
}

function door(problem) {
  at("house").hidden = true;
  at("door").hidden = false;
  at("token-error").textContent = problem;
  live("off", "Not connected");
  at("token").value = "";
  at("token").focus();
}

let following = false;

async function enter() {
  try {
    await refreshHost();
  } catch (problem) {
    if (problem.status === 401) {
      dropToken();
      return door("The host does not take this token.");
    }
    return door(`The host cannot be reached: ${problem.message}`);
  }
  await refresh(); // so that nothing moves once it is seen
  at("token").value = "";
  at("door").hidden = true;
  at("house").hidden = false;
  if (following) return;
  following = true;
  setInterval(() => {
    if (document.visibilityState !== "visible") return;
    refresh();
    refreshHost().catch(() => {}); // the event stream says that the host is gone
  }, 15_000);
  await follow({
    opened: () => {
      live("on", "Live");
      refresh();
      refreshHost().catch(() => {});
      approvals.refresh();
    },
    event: (e) => {
      note(e, state.servers);
      if (e.type === "mcp.approval") approvals.heed(e.data);
      soon();
    },
    broken: (problem) => {
      live("lost", "Connection lost, trying again…");
      if (problem?.status === 401) {
        following = false;
        dropToken();
        door("The host does not take this token any more.");
      }
    },
  });
}

function live(mode, text) {
  at("live").dataset.state = mode;
  if (at("live-text").textContent !== text) at("live-text").textContent = text;
}

async function refreshHost() {
  const host = await ask("GET", "/mcp/host");
  at("version").textContent = host.version;
  fill(at("facts"),
    h("li", {}, "policy ", h("b", {}, host.policy)),
    h("li", {}, "network ", h("b", {}, host.network ? "on" : "off")));
  fill(at("problems"), host.problems.map((text) => h("li", {}, text)));
}

// soon gathers what comes in a burst.
function soon() {
  clearTimeout(timer);
  timer = setTimeout(refresh, 60);
}

async function refresh() {
  clearTimeout(timer);
  let list;
  try {
    list = (await ask("GET", "/mcp/servers")).servers;
  } catch {
    return; // the event stream says that the host is gone
  }
  state.servers = list;
  if (list.some((s) => s.state === "connecting")) timer = setTimeout(refresh, 700);
  if (!list.some((s) => s.id === state.chosen)) {
    state.chosen = (list.find((s) => s.state === "connected") ?? list.find((s) => s.enabled) ?? list[0])?.id ?? null;
    state.editing = false;
  }
  renderServers();
  await renderDetail();
}

function show(change, focus = true) {
  Object.assign(state, change);
  renderServers();
  renderDetail().then(() => focus && (at("detail").querySelector("[data-first]") ?? at("detail")).focus());
}

let shown = "";

function renderServers() {
  const now = JSON.stringify([state.servers, state.chosen, state.adding]);
  if (now === shown) return;
  shown = now;
  fill(at("servers"), state.servers.map((s) => {
    const chosen = s.id === state.chosen && !state.adding;
    return h("li", {}, h("button", {
      class: "server", "data-key": `server ${s.id}`, "data-state": s.state, "aria-current": chosen ? "true" : undefined,
      onclick: () => show({ chosen: s.id, adding: false, editing: false }),
    },
    h("span", { class: "dot", "aria-hidden": "true" }),
    h("span", { class: "name" }, nameOf(s)),
    h("span", { class: "state" }, s.state === "connected" ? `${s.tools} tools` : s.state)));
  }));
}

const view = detail({
  refresh,
  edit: () => show({ editing: true }),
  removed: () => {
    state.chosen = null;
    at("add").focus();
    refresh();
  },
});

let form = null; // while one is open, it stays as it is

async function renderDetail() {
  const server = state.servers.find((s) => s.id === state.chosen);
  const wanted = state.adding ? "new" : state.editing && server ? `edit ${server.id}` : "";
  if (wanted) {
    if (form?.for === wanted) return;
    form = { for: wanted };
    fill(at("detail"), serverForm(state.adding ? null : server, {
      taken: (id) => state.servers.some((s) => s.id === id),
      saved: (saved) => {
        say(`${saved.name} is saved.`);
        show({ chosen: saved.id, adding: false, editing: false });
        refresh();
      },
      cancelled: () => show({ adding: false, editing: false }),
    }));
    return;
  }
  form = null;
  await view.show(at("detail"), server);
}

approvals.start(at("approvals"));
