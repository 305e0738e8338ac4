"use strict";
(() => {
const $ = (id) => document.getElementById(id);
const make = (tag, className, text) => {
  const e = document.createElement(tag);
  if (className) e.className = className;
  if (text !== undefined) e.textContent = text;
  return e;
};

/* ---- The data: entries of the sequence, in the order of the wire ---- */

const FRAME = 0, AT = 1, KIND = 2, FROM = 3, SESSION = 4, LABEL = 5, SHORT = 6, ASKED = 7, OUTCOME = 8;
const REQUEST = 1, NOTE = 2, STRAY = 3, NOISE = 4, STDERR = 5, CLOSE = 6, EXIT = 7, HTTP = 8, END = 9;
const OUTCOMES = ["unanswered", "ok", "failed", "error", "cancelled"];
const BESIDE = ["an event without a message", , , "an answer to nobody’s request", "no message:", "stderr:",
  "the host closed the connection", "the server ended:", "", "end of the exchange:", "a frame that a newer version wrote"];

const sum = JSON.parse($("summary").textContent);
const entries = [];
for (const block of document.querySelectorAll("script.entries")) {
  for (const e of JSON.parse(block.textContent)) entries.push(e);
  block.remove();
}
const count = entries.length;
const answerOf = new Int32Array(count).fill(-1); // of a request: the entry of its answer
const outcome = new Uint8Array(count);
const took = new Float64Array(count).fill(-1);   // microseconds
let longest = 1;
entries.forEach((e, i) => {
  if (e.length <= ASKED) return;
  outcome[i] = e[OUTCOME];
  const asked = e[ASKED];
  if (asked < 0) return;
  answerOf[asked] = i;
  outcome[asked] = e[OUTCOME];
  took[asked] = e[AT] - entries[asked][AT];
  longest = Math.max(longest, took[asked]);
});
for (const [i, how, micros] of sum.open) { outcome[i] = how; took[i] = micros; longest = Math.max(longest, micros); }

const isAnswer = (i) => entries[i][KIND] === REQUEST && entries[i].length > ASKED && entries[i][ASKED] >= 0;
const isRequest = (i) => entries[i][KIND] === REQUEST && !isAnswer(i);
const isMessage = (i) => entries[i][KIND] >= REQUEST && entries[i][KIND] <= STRAY;
const partner = (i) => isAnswer(i) ? entries[i][ASKED] : answerOf[i];
const isWrong = (i) => (isRequest(i) && outcome[i] !== 1) || [STRAY, NOISE].includes(entries[i][KIND]) ||
  ([EXIT, END].includes(entries[i][KIND]) && outcome[i] === 3);
const labelOf = (i) => sum.labels[entries[i][LABEL]];
const textOf = (i) => { const [m, n] = labelOf(i); return m + " " + n + " " + (BESIDE[entries[i][KIND]] || "") + " " + entries[i][SHORT]; };

function duration(us) {
  if (us < 0) return "–";
  if (us < 1000) return us + " µs";
  if (us < 1e4) return (us / 1e3).toFixed(1) + " ms";
  if (us < 1e6) return Math.floor(us / 1e3) + " ms";
  if (us < 6e7) return (us / 1e6).toFixed(1) + " s";
  return Math.floor(us / 6e7) + "m " + String(Math.floor(us / 1e6) % 60).padStart(2, "0") + "s";
}
const clock = (us) => (us / 1e6).toFixed(3);

/* ---- Raw frames: packed blocks, opened on demand ---- */

const blocks = [...document.querySelectorAll("script.raw")].map((e) => ({ e, first: +e.dataset.first, n: +e.dataset.frames }));
const opened = new Map(); // the blocks opened last

async function openBlock(b) {
  if (opened.has(b)) return opened.get(b);
  const packed = Uint8Array.from(atob(b.e.textContent), (c) => c.charCodeAt(0));
  const text = await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();
  const lines = text.split("\n");
  opened.set(b, lines);
  if (opened.size > 12) opened.delete(opened.keys().next().value);
  return lines;
}

async function rawFrame(frame) {
  let lo = 0, hi = blocks.length - 1;
  while (lo < hi) {
    const mid = (lo + hi + 1) >> 1;
    if (blocks[mid].first <= frame) lo = mid; else hi = mid - 1;
  }
  return (await openBlock(blocks[lo]))[frame - blocks[lo].first];
}

/* ---- What is shown: a view is a list of entries ---- */

const state = {
  tab: "sequence", query: "", inRaw: false, messages: false, session: -1, outcome: -1, sort: "at", down: false,
  rawHits: null, view: [], picked: -1, detail: false,
};
const ROW = 30, MAX_HEIGHT = 8e6; // browsers end at some height: above this one the scroll bar is scaled
const list = $("list"), layer = $("layer"), spacer = $("spacer");

function fits(i, words) {
  if (state.tab === "calls" ? !isRequest(i) : state.messages && !isMessage(i) && !isWrong(i)) return false;
  if (state.session >= 0 && entries[i][SESSION] !== state.session) return false;
  if (state.outcome >= 0) {
    const asked = isAnswer(i) ? entries[i][ASKED] : i;
    if (!isRequest(asked) || outcome[asked] !== state.outcome) return false;
  }
  if (!words) return true;
  if (textOf(i).toLowerCase().includes(words)) return true;
  if (state.tab === "calls" && answerOf[i] >= 0 && textOf(answerOf[i]).toLowerCase().includes(words)) return true;
  return state.rawHits !== null && (state.rawHits.has(entries[i][FRAME]) ||
    (state.tab === "calls" && answerOf[i] >= 0 && state.rawHits.has(entries[answerOf[i]][FRAME])));
}

const sortKeys = {
  at: (i) => entries[i][AT],
  name: (i) => labelOf(i).join(" "),
  took: (i) => took[i],
  outcome: (i) => OUTCOMES[outcome[i]],
};

function refresh() {
  const words = state.query.toLowerCase();
  const view = [];
  for (let i = 0; i < count; i++) if (fits(i, words)) view.push(i);
  if (state.tab === "calls" && (state.sort !== "at" || state.down)) {
    const key = sortKeys[state.sort], way = state.down ? -1 : 1;
    view.sort((a, b) => { const x = key(a), y = key(b); return x < y ? -way : x > y ? way : a - b; });
  }
  state.view = view;
  spacer.style.height = Math.min(view.length * ROW, MAX_HEIGHT) + "px";
  $("empty").hidden = view.length > 0;
  const noun = state.tab === "calls" ? "calls" : "frames";
  $("found").textContent = view.length === count ? "" : view.length.toLocaleString("en") + " " + noun;
  list.setAttribute("aria-label", noun);
  columns();
  render();
}

/* The scroll position in rows. Where the list is higher than browsers allow, it is scaled. */
function topPixel() {
  const total = state.view.length * ROW, shown = list.clientHeight;
  if (total <= MAX_HEIGHT) return list.scrollTop;
  return list.scrollTop / (MAX_HEIGHT - shown) * (total - shown);
}

function scrollToPixel(y) {
  const total = state.view.length * ROW, shown = list.clientHeight;
  list.scrollTop = total <= MAX_HEIGHT ? y : y / (total - shown) * (MAX_HEIGHT - shown);
}

let asked = false;
function render() {
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => { asked = false; draw(); });
}

function draw() {
  const top = topPixel(), first = Math.max(0, Math.floor(top / ROW) - 4);
  const last = Math.min(state.view.length, first + Math.ceil(list.clientHeight / ROW) + 9);
  const pair = state.picked >= 0 ? partner(state.picked) : -1;
  const rows = document.createDocumentFragment();
  for (let at = first; at < last; at++) {
    const i = state.view[at];
    const row = state.tab === "calls" ? callRow(i) : sequenceRow(i);
    row.classList.toggle("picked", i === state.picked);
    row.classList.toggle("paired", i === pair);
    row.style.transform = "translateY(" + (at * ROW - top) + "px)";
    row.id = "row-" + i;
    row.dataset.i = i;
    row.setAttribute("role", "option");
    row.setAttribute("aria-selected", i === state.picked);
    row.setAttribute("aria-setsize", state.view.length);
    row.setAttribute("aria-posinset", at + 1);
    rows.append(row);
  }
  layer.replaceChildren(rows);
  if (state.picked >= 0) list.setAttribute("aria-activedescendant", "row-" + state.picked);
  drawStrip();
}

/* marked appends text with what was searched for marked. */
function marked(to, text) {
  const words = state.query.toLowerCase();
  if (!words) { to.append(text); return; }
  const low = text.toLowerCase();
  let from = 0;
  for (let at = low.indexOf(words); at >= 0; at = low.indexOf(words, from)) {
    to.append(text.slice(from, at), make("mark", "", text.slice(at, at + words.length)));
    from = at + words.length;
  }
  to.append(text.slice(from));
}

const tone = (i) => ["warn", "ok", "bad", "bad", "warn"][outcome[i]];

function sequenceRow(i) {
  const e = entries[i], kind = e[KIND];
  const row = make("div", "row " + (e[FROM] === 1 ? "from-client" : "from-server"));
  row.append(make("span", "time", clock(e[AT])));
  const lane = make("span", "lane"), label = make("span", "label");
  if (state.session < 0 && sum.sessions > 1) label.append(make("span", "tag", "session " + e[SESSION]));
  const [method, name] = labelOf(i);
  if (isAnswer(i)) {
    row.classList.add("answer", tone(i));
    const b = make("b");
    marked(b, OUTCOMES[outcome[i]] === "ok" ? "" : OUTCOMES[outcome[i]] + "  ");
    const about = make("i");
    marked(about, (name || method) + "  ");
    label.append(about, b, make("span", "took", duration(took[e[ASKED]])));
    marked(label, e[SHORT]);
  } else if (kind === REQUEST) {
    if (outcome[i] !== 1) row.classList.add(tone(i));
    const b = make("b"), said = make("i");
    marked(b, method + (name ? " " + name : ""));
    marked(said, "  " + e[SHORT]);
    label.append(b, said);
    if (outcome[i] === 0 || outcome[i] === 4) label.append(make("span", "state", "  " + OUTCOMES[outcome[i]]));
  } else if (kind === NOTE) {
    row.classList.add("note");
    const said = make("i");
    marked(label, method + (name ? " " + name : ""));
    marked(said, "  " + e[SHORT]);
    label.append(said);
  } else {
    row.classList.add("beside");
    if (isWrong(i)) row.classList.add(kind === NOISE ? "warn" : "bad");
    marked(label, kind === HTTP ? method : BESIDE[kind] || "");
    const said = make("b");
    marked(said, "  " + e[SHORT]);
    label.append(said);
  }
  lane.append(label, make("span", "wire"), make("span", "tip"));
  row.append(lane);
  return row;
}

function callRow(i) {
  const e = entries[i], [method, name] = labelOf(i);
  const row = make("div", "row " + tone(i));
  row.append(make("span", "time", clock(e[AT])));
  const what = make("span");
  if (state.session < 0 && sum.sessions > 1) what.append(make("span", "tag", "s" + e[SESSION]));
  if (e[FROM] === 2) what.append(make("span", "tag", "server asks"));
  const b = make("b"), rest = make("i");
  marked(b, name || method);
  if (name) marked(rest, "  " + method);
  what.append(b, rest);
  const bar = make("span", "bar"), fill = make("span");
  fill.style.width = took[i] < 0 ? "0" : Math.max(0.5, 100 * took[i] / longest) + "%";
  bar.append(fill);
  const text = make("span");
  marked(text, e[SHORT]);
  if (answerOf[i] >= 0) { text.append(make("i", "", e[SHORT] ? "  → " : "→ ")); marked(text, entries[answerOf[i]][SHORT]); }
  row.append(what, make("span", "end", duration(took[i])), bar, make("span", "state", OUTCOMES[outcome[i]]), text);
  return row;
}

function columns() {
  const head = $("columns");
  head.replaceChildren();
  $("left").className = state.tab;
  if (state.tab === "sequence") {
    const ends = make("span", "ends");
    ends.append(make("span", "", "host"), make("span", "", "server"));
    head.append(make("span", "end", "seconds"), ends);
    return;
  }
  for (const [key, text, cls] of [["at", "seconds", "end"], ["name", "call"], ["took", "took", "end"], ["", ""], ["outcome", "outcome"], ["", "said → got"]]) {
    if (!key) { head.append(make("span", "", text)); continue; }
    const b = make("button", cls, text + (state.sort === key ? (state.down ? " ↓" : " ↑") : ""));
    b.type = "button";
    if (state.sort === key) b.setAttribute("aria-sort", state.down ? "descending" : "ascending");
    b.onclick = () => {
      state.down = state.sort === key ? !state.down : key === "took";
      state.sort = key;
      list.scrollTop = 0;
      refresh();
    };
    head.append(b);
  }
}

/* ---- Choosing a frame ---- */

function pick(i, show) {
  state.picked = i;
  if (show) state.detail = true;
  if (i >= 0 && !state.view.includes(i)) clearFilters();
  reveal();
  if (state.detail) showDetail(i);
  render();
}

/* reveal scrolls as little as shows the row that is picked. */
function reveal() {
  const at = state.view.indexOf(state.picked);
  if (at < 0) return;
  const y = at * ROW, top = topPixel(), shown = list.clientHeight;
  if (y < top + ROW) scrollToPixel(Math.max(0, y - ROW * 2));
  else if (y > top + shown - ROW * 2) scrollToPixel(y - shown + ROW * 3);
}

function clearFilters() {
  Object.assign(state, { query: "", outcome: -1, session: -1, messages: false, rawHits: null, tab: "sequence" });
  $("search").value = "";
  $("only-calls").checked = false;
  $("session").value = "-1";
  tabs();
  chips();
  refresh();
}

function move(by) {
  if (!state.view.length) return;
  let at = state.view.indexOf(state.picked);
  if (at < 0) at = Math.floor(topPixel() / ROW) - Math.sign(by); // the first one in sight
  pick(state.view[Math.min(state.view.length - 1, Math.max(0, at + by))]);
}

function nextWrong(by) {
  const view = state.view, n = view.length;
  let at = view.indexOf(state.picked);
  for (let k = 0; k < n; k++) {
    at = (at + by + n) % n;
    if (isWrong(view[at])) { pick(view[at]); return; }
  }
}

const atFrame = (frame) => {
  let lo = 0, hi = count - 1;
  while (lo < hi) { const mid = (lo + hi) >> 1; if (entries[mid][FRAME] < frame) lo = mid + 1; else hi = mid; }
  return lo;
};

/* ---- The frame chosen ---- */

let detailFor = 0;
async function showDetail(i) {
  const box = $("detail"), turn = ++detailFor;
  if (i < 0) { box.hidden = true; return; }
  const e = entries[i], [method, name] = labelOf(i), other = partner(i);
  const close = make("button", "close", "Close");
  close.type = "button";
  close.onclick = closeDetail;
  const facts = ["frame " + e[FRAME], clock(e[AT]) + " s", e[FROM] === 1 ? "host → server" : "server → host"];
  if (sum.sessions > 0) facts.push("session " + e[SESSION]);
  const request = isAnswer(i) ? other : i;
  if (isRequest(request)) facts.push(OUTCOMES[outcome[request]] + (took[request] >= 0 ? " after " + duration(took[request]) : ""));
  const parts = [close, make("h2", "", (method + " " + name).trim() || BESIDE[e[KIND]]), make("p", "facts", facts.join(" · "))];
  parts.push(...await frameParts(i, isAnswer(i) ? "Answer" : isRequest(i) ? "Request" : "Frame"));
  if (other >= 0) parts.push(...await frameParts(other, isAnswer(i) ? "Its request" : "Its answer"));
  if (turn !== detailFor) return; // another one was chosen meanwhile
  box.replaceChildren(...parts);
  box.hidden = false;
  box.scrollTop = 0;
  reveal(); // the list may be lower now
  render();
}

async function frameParts(i, title) {
  const line = (await rawFrame(entries[i][FRAME])) || "";
  const h = make("h3", "", title + " · frame " + entries[i][FRAME]);
  const copy = make("button", "", "Copy");
  copy.type = "button";
  copy.onclick = async () => {
    try { await navigator.clipboard.writeText(line); copy.textContent = "Copied"; } catch { copy.textContent = "Not allowed here"; }
  };
  h.append(copy);
  const parts = [];
  const text = plainText(line);
  if (text) {
    const pre = make("pre");
    visible(pre, text.length > LIMIT ? text.slice(0, LIMIT) + "…" : text);
    parts.push(make("h3", "", "Text"), pre);
  }
  parts.push(h, pretty(line));
  return parts;
}

/* plainText is the text of a tool's result, as a person would read it. */
function plainText(line) {
  if (line.length > 4 * LIMIT) return "";
  try {
    const f = JSON.parse(line);
    const content = f.message && f.message.result && f.message.result.content;
    if (!Array.isArray(content)) return typeof f.stderr === "string" ? f.stderr : "";
    return content.filter((c) => c && c.type === "text" && typeof c.text === "string").map((c) => c.text).join("\n");
  } catch { return ""; }
}

const LIMIT = 200000;
const HIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0]|\udb40[\udc00-\udc7f]/g;

/* visible appends text in which characters that hide are named. */
function visible(to, text) {
  let from = 0;
  for (const m of text.matchAll(HIDDEN)) {
    to.append(text.slice(from, m.index), make("span", "hidden-char", "U+" + m[0].codePointAt(0).toString(16).toUpperCase().padStart(4, "0")));
    from = m.index + m[0].length;
  }
  to.append(text.slice(from));
}

/* pretty indents JSON without reading it into numbers, which would change how they are spelt. */
function pretty(line) {
  const pre = make("pre"), whole = line;
  if (line.length > LIMIT) line = line.slice(0, LIMIT);
  const token = /"(?:[^"\\]|\\.)*"?|[{}\[\],:]|[^\s{}\[\],:"]+/g;
  let depth = 0, empty = false;
  const nl = () => "\n" + "  ".repeat(depth);
  const tokens = line.match(token) || [];
  tokens.forEach((t, k) => {
    const c = t[0];
    if (c === "}" || c === "]") { depth = Math.max(0, depth - 1); pre.append(empty ? t : nl() + t); empty = false; return; }
    if (empty) pre.append(nl());
    empty = false;
    if (c === "{" || c === "[") { depth++; empty = true; pre.append(t); return; }
    if (c === ",") { pre.append("," + nl()); return; }
    if (c === ":") { pre.append(": "); return; }
    const span = make("span", c !== '"' ? (/^[-\d]/.test(t) ? "n" : "l") : tokens[k + 1] === ":" ? "k" : "s");
    visible(span, t);
    pre.append(span);
  });
  if (whole.length > LIMIT) {
    const more = make("button", "", "… " + (whole.length - LIMIT).toLocaleString("en") + " more characters: show the raw line");
    more.type = "button";
    more.onclick = () => { pre.replaceChildren(); visible(pre, whole); };
    pre.append("\n", more);
  }
  return pre;
}

function closeDetail() {
  detailFor++;
  state.detail = false;
  $("detail").hidden = true;
  list.focus();
  render();
}

/* ---- Search in the raw frames: block by block, the page stays alive ---- */

let search = 0;
async function searchRaw() {
  const turn = ++search, words = state.query.toLowerCase();
  if (!state.inRaw || words.length < 2) { state.rawHits = null; refresh(); return; }
  const hits = new Set();
  state.rawHits = hits;
  refresh();
  for (let k = 0; k < blocks.length; k++) {
    const lines = await openBlock(blocks[k]);
    if (turn !== search) return;
    for (let j = 0; j < blocks[k].n; j++) if (lines[j].toLowerCase().includes(words)) hits.add(blocks[k].first + j);
    if (k % 8 === 7) {
      refresh();
      $("found").textContent = "searching … " + Math.round(100 * k / blocks.length) + " %";
      await new Promise((r) => setTimeout(r));
    }
  }
  if (turn === search) refresh();
}

/* ---- The strip: all calls over time ---- */

const strip = $("strip"), back = document.createElement("canvas");
const calls = [];
for (let i = 0; i < count; i++) if (isRequest(i)) calls.push(i);
const span = Math.max(1, sum.length);

function paintStrip() {
  const scale = window.devicePixelRatio || 1, box = strip.getBoundingClientRect();
  for (const c of [strip, back]) { c.width = Math.max(1, box.width * scale); c.height = Math.max(1, box.height * scale); }
  const style = getComputedStyle(document.documentElement), color = (n) => style.getPropertyValue(n).trim();
  const tones = [color("--warn"), color("--ok"), color("--bad"), color("--bad"), color("--warn")];
  const g = back.getContext("2d"), w = back.width, gap = 3 * scale;
  const ends = (i, x) => took[i] < 0 ? w : x + Math.max(2 * scale, took[i] / span * w);
  const laneFor = (free, x) => { let lane = 0; while (lane < free.length - 1 && free[lane] > x) lane++; return lane; };
  const free = new Float64Array(6).fill(-1);
  let lanes = 1; // as many as calls run at once, up to six
  for (const i of calls) {
    const x = entries[i][AT] / span * w, lane = laneFor(free, x);
    free[lane] = ends(i, x);
    lanes = Math.max(lanes, lane + 1);
  }
  const high = Math.min(22 * scale, (back.height - gap * (lanes + 1)) / lanes), top = (back.height - lanes * (high + gap) + gap) / 2;
  g.clearRect(0, 0, w, back.height);
  for (const pass of [1, 0]) { // what went wrong is painted last, so that nothing hides it
    free.fill(-1);
    for (const i of calls) {
      const x = entries[i][AT] / span * w, right = ends(i, x), lane = laneFor(free.subarray(0, lanes), x);
      free[lane] = right;
      if ((outcome[i] === 1) !== (pass === 1)) continue;
      g.fillStyle = tones[outcome[i]];
      g.globalAlpha = took[i] < 0 ? 0.45 : 0.9;
      g.beginPath();
      g.roundRect(x, top + lane * (high + gap), right - x, high, Math.min(2.5 * scale, (right - x) / 2));
      g.fill();
    }
  }
  drawStrip();
}

function drawStrip() {
  const g = strip.getContext("2d");
  g.clearRect(0, 0, strip.width, strip.height);
  g.drawImage(back, 0, 0);
  if (!state.view.length || (state.tab === "calls" && state.sort !== "at")) return;
  const top = topPixel(), a = state.view[Math.min(state.view.length - 1, Math.floor(top / ROW))];
  const b = state.view[Math.min(state.view.length - 1, Math.floor((top + list.clientHeight) / ROW))];
  const x = entries[a][AT] / span * strip.width, y = entries[b][AT] / span * strip.width;
  const ink = getComputedStyle(document.body).color;
  g.fillStyle = ink;
  g.globalAlpha = 0.09;
  g.fillRect(Math.min(x, y), 0, Math.max(3, Math.abs(y - x)), strip.height);
  if (state.picked >= 0) { g.globalAlpha = 0.8; g.fillRect(entries[state.picked][AT] / span * strip.width, 0, 1.5, strip.height); }
  g.globalAlpha = 1;
}

function nearest(x) {
  const at = x / strip.getBoundingClientRect().width * span;
  let best = -1, away = Infinity;
  for (const i of calls) {
    const from = entries[i][AT], to = took[i] < 0 ? span : from + took[i];
    const d = at < from ? from - at : at > to ? at - to : 0;
    if (d < away || (d === away && outcome[i] !== 1)) { away = d; best = i; }
  }
  return best;
}

strip.addEventListener("mousemove", (ev) => {
  const i = nearest(ev.offsetX), tip = $("strip-tip");
  if (i < 0) return;
  const [method, name] = labelOf(i);
  tip.textContent = clock(entries[i][AT]) + " s  " + (name || method) + "  " + duration(took[i]) + "  " + OUTCOMES[outcome[i]];
  tip.hidden = false;
  tip.style.left = Math.max(4, Math.min(ev.offsetX + 12, strip.clientWidth - tip.offsetWidth - 6)) + "px";
});
strip.addEventListener("mouseleave", () => { $("strip-tip").hidden = true; });
strip.addEventListener("click", (ev) => { const i = nearest(ev.offsetX); if (i >= 0) pick(i); });

/* ---- The frame around it ---- */

function tabs() {
  for (const t of ["sequence", "calls"]) $("tab-" + t).setAttribute("aria-selected", state.tab === t);
}

function show(tab) {
  if (state.tab === tab) return;
  state.tab = tab;
  tabs();
  const picked = state.picked >= 0 && isAnswer(state.picked) ? entries[state.picked][ASKED] : state.picked;
  refresh();
  const at = state.view.indexOf(picked);
  state.picked = at < 0 ? -1 : picked;
  scrollToPixel(at < 0 ? 0 : Math.max(0, at * ROW - list.clientHeight / 2));
}

function chips() {
  const box = $("chips"), counts = new Array(OUTCOMES.length).fill(0);
  for (const i of calls) if (entries[i][FROM] === 1) counts[outcome[i]]++;
  box.replaceChildren();
  for (const o of [1, 2, 3, 4, 0]) {
    if (!counts[o]) continue;
    const chip = make("button");
    chip.type = "button";
    chip.setAttribute("aria-pressed", state.outcome === o);
    const b = make("b", "", counts[o].toLocaleString("en"));
    b.style.color = state.outcome === o ? "" : "var(--" + ["warn", "ok", "bad", "bad", "warn"][o] + ")";
    chip.append(b, " " + OUTCOMES[o]);
    chip.onclick = () => { state.outcome = state.outcome === o ? -1 : o; chips(); refresh(); };
    box.append(chip);
  }
  box.append(make("span", "quiet", sum.frames.toLocaleString("en") + " frames in " + duration(sum.length)));
}

function dark(on) {
  document.documentElement.classList.toggle("dark", on);
  try { localStorage.setItem("mcp-replay-theme", on ? "dark" : "light"); } catch { /* some browsers keep nothing for files */ }
  paintStrip();
}
const isDark = () => document.documentElement.classList.contains("dark");

function wantsDark() {
  if (location.hash.includes("dark")) return true;
  if (location.hash.includes("light")) return false;
  let kept = null;
  try { kept = localStorage.getItem("mcp-replay-theme"); } catch { /* as above */ }
  return kept ? kept === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function start() {
  $("server").textContent = (sum.server || "a server that gave no name") + (sum.protocol ? " · protocol " + sum.protocol : "");
  $("reached").textContent = sum.reached + " · recorded " + sum.header.recorded + " by " + sum.header.by;
  $("wrong").hidden = sum.problems.length === 0;
  $("wrong").open = sum.problems.length <= 6;
  $("wrong-count").textContent = "(" + sum.problems.length + ")";
  for (const [text, frame, n] of sum.problems) {
    const li = make("li"), b = make("button");
    b.type = "button";
    b.append(make("span", "where", "frame " + frame), make("span", "text", text + (n > 1 ? "  ×" + n : "")));
    b.onclick = () => { if (state.tab === "calls" && !isRequest(atFrame(frame))) show("sequence"); pick(atFrame(frame), true); };
    li.append(b);
    $("problems").append(li);
  }
  if (sum.sessions > 1) {
    const box = $("session");
    box.hidden = false;
    box.append(new Option("all sessions", "-1"));
    for (let n = 0; n <= sum.sessions; n++) box.append(new Option(n ? "session " + n : "without a session", n));
    box.onchange = () => { state.session = +box.value; refresh(); };
  }
  $("tab-sequence").onclick = () => show("sequence");
  $("tab-calls").onclick = () => show("calls");
  $("theme").onclick = () => dark(!isDark());
  $("help-open").onclick = () => $("help").showModal();
  $("only-calls").onchange = (ev) => { state.messages = ev.target.checked; refresh(); };
  $("in-raw").onchange = (ev) => { state.inRaw = ev.target.checked; searchRaw(); };
  let pause = 0;
  $("search").oninput = (ev) => {
    clearTimeout(pause);
    pause = setTimeout(() => { state.query = ev.target.value.trim(); searchRaw(); }, count > 20000 ? 150 : 30);
  };
  list.addEventListener("scroll", render, { passive: true });
  list.addEventListener("click", (ev) => { const row = ev.target.closest(".row"); if (row) { list.focus(); pick(+row.dataset.i, true); } });
  new ResizeObserver(() => { paintStrip(); render(); }).observe(document.body);
  document.addEventListener("keydown", keys);
  // The heads of HTTP say little to who reads what was called.
  state.messages = $("only-calls").checked = sum.header.transport === "http";
  dark(wantsDark());
  chips();
  refresh();
  const linked = /frame=(\d+)/.exec(location.hash);
  if (location.hash.includes("calls")) show("calls");
  if (linked) pick(atFrame(+linked[1]), true);
  list.focus();
}

function keys(ev) {
  if (ev.ctrlKey || ev.metaKey || ev.altKey || $("help").open) return;
  const typing = ev.target instanceof HTMLInputElement && ev.target.type === "search";
  if (ev.key === "Escape") {
    if (typing || state.query) { $("search").value = ""; state.query = ""; searchRaw(); list.focus(); } else if (state.detail) closeDetail();
    return;
  }
  if (typing) {
    if (ev.key === "Enter" || ev.key === "ArrowDown") { list.focus(); ev.preventDefault(); move(1); }
    return;
  }
  const page = Math.max(1, Math.floor(list.clientHeight / ROW) - 2);
  const act = {
    ArrowDown: () => move(1), j: () => move(1), ArrowUp: () => move(-1), k: () => move(-1),
    PageDown: () => move(page), PageUp: () => move(-page), Home: () => move(-count), End: () => move(count),
    Enter: () => ev.target.closest("button, summary") ? null : pick(state.picked, true),
    p: () => { const o = state.picked >= 0 ? partner(state.picked) : -1; if (o >= 0 && state.tab === "sequence") pick(o); },
    n: () => nextWrong(1), N: () => nextWrong(-1),
    "/": () => $("search").focus(), "?": () => $("help").showModal(), t: () => dark(!isDark()),
    1: () => show("sequence"), 2: () => show("calls"),
  }[ev.key];
  if (!act || (ev.key === "Enter" && ev.target.closest("button, summary"))) return;
  ev.preventDefault();
  act();
}

start();
})();
