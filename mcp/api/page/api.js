// The API from a page: the token, requests, and the event stream.

const place = "mcp-replay-token";

// takeToken takes the token out of the address bar, where "serve --open" puts it, and keeps it for this tab.
export function takeToken() {
  const found = new URLSearchParams(location.hash.slice(1)).get("token");
  if (found) {
    sessionStorage.setItem(place, found);
    history.replaceState(null, "", location.pathname + location.search);
  }
  return token();
}

export const token = () => sessionStorage.getItem(place) ?? "";
export const keepToken = (text) => sessionStorage.setItem(place, text);
export const dropToken = () => sessionStorage.removeItem(place);

// Problem is an answer that is an error.
export class Problem extends Error {
  constructor(status, body) {
    super(body.error ?? `the host answered ${status}`);
    this.status = status;
    this.field = body.field ?? "";
  }
}

// exactly keeps a number that JavaScript would round as it is written, for a person is to see what is really sent.
function exactly(_, value, context) {
  if (typeof value !== "number" || context?.source === undefined || !JSON.rawJSON) return value;
  const exact = Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value) && context.source.replace(/\D/g, "").length < 17;
  return exact ? value : JSON.rawJSON(context.source);
}

// ask sends a request and gives the answer's JSON. The body is JSON text, so that numbers stay as they were typed.
export async function ask(method, path, body, signal) {
  const headers = { Authorization: `Bearer ${token()}` };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const answer = await fetch(`/api${path}`, { method, headers, body, signal });
  if (answer.status === 204) return null;
  const json = await answer.text().then((text) => JSON.parse(text, exactly)).catch((problem) => {
    if (problem.name === "AbortError") throw problem;
    return {};
  });
  if (!answer.ok) throw new Problem(answer.status, json);
  return json;
}

// follow reads events for ever, and again from the last one where the stream breaks off.
export async function follow({ opened, event, broken }) {
  let last = "";
  for (let pause = 500; ; pause = Math.min(pause * 2, 10_000)) {
    try {
      const headers = { Authorization: `Bearer ${token()}` };
      if (last) headers["Last-Event-ID"] = last;
      const answer = await fetch("/api/events", { headers, cache: "no-store" });
      if (!answer.ok) throw new Problem(answer.status, await answer.json().catch(() => ({})));
      opened();
      pause = 500;
      for await (const e of parse(answer.body)) {
        last = e.id || last;
        event(e);
      }
      broken(null);
    } catch (problem) {
      broken(problem);
      if (problem.status === 401) return;
    }
    await new Promise((wake) => setTimeout(wake, pause));
  }
}

// parse reads server-sent events.
async function* parse(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (text + value).split("\n\n");
    text = blocks.pop();
    for (const block of blocks) {
      const e = { id: "", type: "message", data: "" };
      for (const line of block.split("\n")) {
        if (line.startsWith("id: ")) e.id = line.slice(4);
        if (line.startsWith("event: ")) e.type = line.slice(7);
        if (line.startsWith("data: ")) e.data += line.slice(6);
      }
      if (e.data) yield { ...e, data: JSON.parse(e.data) };
    }
  }
}
