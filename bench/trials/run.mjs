// Asks the trial's requests of a built server and writes down what came of each, for somebody to score.
//
//   node bench/trials/run.mjs --bin GLADE --out DIR --model NAME --models FILE [--numbers 1,2,3] [--surface canvas]
//
// Whatever answers as the model is named by `--models`, a models.json as in the data folder. For each request there is a
// folder DIR/NUMBER: `before.*` and `after.*` (files, and pictures of a canvas), `chat.json` (what was said), `asked.json`
// (requests to the model and their tokens). A code project is DIR/NUMBER/project, as it was in `before`.
import { execFileSync, spawn } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";

const HERE = import.meta.dirname;
const WEB = resolve(HERE, "../../web");
const { values: args } = parseArgs({
  options: {
    bin: { type: "string" },
    out: { type: "string" },
    model: { type: "string" },
    models: { type: "string" },
    numbers: { type: "string" },
    surface: { type: "string" },
    minutes: { type: "string", default: "20" },
  },
});
for (const needed of ["bin", "out", "model", "models"]) {
  if (!args[needed]) throw new Error(`--${needed} is missing; the first lines of this file say how it is used`);
}
process.env.GLADE_BIN = resolve(args.bin);
const { GladeServer, until } = await import(join(WEB, "tests/support/server.mjs"));
const web = createRequire(join(WEB, "package.json"));
const { LoroDoc } = await import(web.resolve("loro-crdt"));
const { LoroWebsocketClient } = await import(web.resolve("loro-websocket"));
const { LoroAdaptor } = await import(web.resolve("loro-adaptors/loro"));
const { DefaultChatTransport, readUIMessageStream } = await import(web.resolve("ai"));

const LONGEST_MS = Number(args.minutes) * 60_000;
const models = JSON.parse(readFileSync(args.models, "utf8"));
const numbers = args.numbers?.split(",").map(Number);
const requests = JSON.parse(execFileSync("python3", [join(HERE, "requests.py")], { maxBuffer: 1 << 26 })).filter(
  (request) => (!numbers || numbers.includes(request.number)) && (!args.surface || request.surface === args.surface),
);

for (const request of requests) {
  const folder = join(resolve(args.out), String(request.number));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const started = Date.now();
  try {
    if (request.door === "write") await asFile(request, folder);
    else if (request.surface === "code") await asProject(request, folder);
    else await asPage(request, folder);
    console.log(`${request.number} ended after ${Math.round((Date.now() - started) / 1000)} s`);
  } catch (error) {
    writeFileSync(join(folder, "failed.txt"), String(error.stack ?? error));
    console.log(`${request.number} failed: ${error.message}`);
  }
}

/** Whether the model is shown pictures is the request's. */
function seeing(eyes) {
  const all = structuredClone(models);
  for (const provider of Object.values(all.providers)) provider.sees = { "*": eyes };
  return all;
}

async function asPage(request, folder) {
  const server = await GladeServer.start({ model: args.model, models: seeing(request.eyes), flags: ["--log", "warn"] });
  try {
    const canvas = request.surface === "canvas";
    const page = canvas
      ? await server.firstPage()
      : (await server.api("/api/workspaces/main/pages", { method: "POST", body: { name: request.name, kind: "text" } })).value.id;
    const ending = canvas ? "excalidraw" : "md";
    writeFileSync(join(folder, `before.${ending}`), request.content);
    if (request.content.trim()) await bring(server, page, canvas, request.content);
    const fairy = (await server.workspace()).fairies[0].id;
    for (const turn of request.turn) {
      if (turn.person) await edit(server, page, canvas, turn.person);
      const bounds = request.view && Object.fromEntries(["x", "y", "w", "h"].map((key, at) => [key, request.view[at]]));
      const selection = request.select ? labelled(await server.elements(page), request.select) : [];
      const input = { message: turn.say, page, selection, ...(bounds ? { bounds } : {}) };
      const begun = await server.api(`/api/fairies/${fairy}/interrupt`, { method: "POST", body: { input } });
      if (begun.status >= 300) throw new Error(`asking: ${begun.status} ${JSON.stringify(begun.value)}`);
      await until(
        async () => (await server.api(`/api/runs/${begun.value.run}`)).value.status !== "running",
        "the run ends",
        LONGEST_MS,
      );
    }
    await save(server, page, canvas, folder);
    const chat = (await server.api(`/api/ai/chat/${fairy}`)).value.messages;
    writeFileSync(join(folder, "chat.json"), JSON.stringify(chat, null, 1));
    await tellSteps(server, folder);
  } finally {
    await server.stop();
  }
}

async function bring(server, page, canvas, content) {
  if (!canvas) return server.import(page, content);
  const answer = await fetch(`${server.origin}/api/pages/${page}/import?mode=replace`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.token}`, "content-type": "application/vnd.excalidraw+json" },
    body: content,
  });
  if (!answer.ok) throw new Error(`import: ${answer.status} ${await answer.text()}`);
}

/** The ids of the shapes that carry these labels. */
function labelled(elements, labels) {
  return labels.map((label) => {
    const [id, text] = Object.entries(elements).find(([, e]) => !e.isDeleted && words(e) === label) ?? [];
    if (!id) throw new Error(`no shape is labelled ${label}`);
    return text.containerId ?? id;
  });
}

function words(element) {
  return element.originalText ?? element.text;
}

/** What a person does between two turns, as another client of the page. */
async function edit(server, page, canvas, changes) {
  const doc = new LoroDoc();
  const client = new LoroWebsocketClient({ url: server.syncUrl });
  await client.waitConnected();
  const room = await client.join({
    roomId: page,
    crdtAdaptor: new LoroAdaptor(doc),
    auth: new TextEncoder().encode(server.token),
  });
  await room.waitForReachingServerVersion();
  const all = doc.getMap(canvas ? "elements" : "doc");
  for (const change of changes) {
    if (canvas) {
      const [id] = labelled(all.toJSON(), [change.shape]);
      const shape = all.ensureMergeableMap(id);
      for (const [key, value] of Object.entries(change.set ?? {})) shape.set(key, value);
      if (change.words !== undefined) {
        const label = Object.entries(all.toJSON()).find(([, e]) => !e.isDeleted && e.containerId === id)[0];
        all.ensureMergeableMap(label).ensureMergeableText("originalText").update(change.words);
      }
    } else {
      const [id, block] = Object.entries(all.toJSON()).find(([, b]) => !b.isDeleted && b.originalText?.includes(change.after)) ?? [];
      if (!id) throw new Error(`no block says: ${change.after}`);
      const at = block.originalText.indexOf(change.after) + change.after.length;
      all.ensureMergeableMap(id).ensureMergeableText("originalText").insert(at, change.words);
    }
  }
  doc.commit();
  const wanted = JSON.stringify(changes.at(-1).words ?? Object.values(changes.at(-1).set)[0]).slice(1, -1);
  await until(async () => JSON.stringify(await server.elements(page)).includes(wanted), "the person's change is there");
  await room.leave();
}

async function save(server, page, canvas, folder) {
  const get = async (format, name) => {
    const answer = await fetch(`${server.origin}/api/pages/${page}/export?format=${format}`, {
      headers: { authorization: `Bearer ${server.token}` },
    });
    writeFileSync(join(folder, name), Buffer.from(await answer.arrayBuffer()));
  };
  if (canvas) {
    await get("excalidraw", "after.excalidraw");
    await get("png&scale=1&background=true", "after.png");
    if (readFileSync(join(folder, "before.excalidraw"), "utf8").includes('"id"')) {
      execFileSync(process.env.GLADE_BIN, ["render", join(folder, "before.excalidraw"), "--out", join(folder, "before.png")]);
    }
  } else await get("markdown", "after.md");
}

/** How often the model was asked, and with how much. */
async function tellSteps(server, folder) {
  const { runs } = (await server.workspace()).fairies[0] ?? {};
  const told = [];
  for (const run of runs ?? []) {
    const { value } = await server.api(`/api/runs/${run.id ?? run}`);
    told.push({ message: value.message, status: value.status, cost: value.cost, steps: value.steps?.length });
  }
  writeFileSync(join(folder, "asked.json"), JSON.stringify(told, null, 1));
}

async function asFile(request, folder) {
  const file = join(folder, "after.md");
  writeFileSync(join(folder, "before.md"), request.content);
  writeFileSync(file, request.content);
  const data = join(folder, "data");
  mkdirSync(data);
  writeFileSync(join(data, "models.json"), JSON.stringify(seeing(request.eyes)), { mode: 0o600 });
  const told = await glade(["write", file, request.turn[0].say, "--model", args.model, "--data", data]);
  writeFileSync(join(folder, "chat.json"), JSON.stringify([{ user: request.turn[0].say }, told], null, 1));
}

function glade(words) {
  return new Promise((done, failed) => {
    const child = spawn(process.env.GLADE_BIN, words, { stdio: ["ignore", "pipe", "pipe"] });
    const told = { out: "", err: "" };
    child.stdout.on("data", (chunk) => (told.out += chunk));
    child.stderr.on("data", (chunk) => (told.err += chunk));
    child.once("error", failed);
    child.once("exit", (code) => done({ ...told, code }));
    setTimeout(() => child.kill(), LONGEST_MS).unref();
  });
}

async function asProject(request, folder) {
  const project = join(folder, "project");
  mkdirSync(project);
  for (const [path, content] of Object.entries(request.files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), Buffer.from(content, "base64"));
  }
  cpSync(project, join(folder, "before"), { recursive: true });
  const server = await GladeServer.start({
    model: args.model,
    models: seeing(false),
    project,
    flags: ["--log", "warn"],
  });
  try {
    const chat = (await server.api("/api/code/chats", { method: "POST", body: {} })).value.id;
    const said = [];
    for (const turn of request.turn) {
      for (const change of turn.person ?? []) {
        const file = join(project, change.file);
        if (change.append) appendFileSync(file, change.append);
        if (change.before) writeFileSync(file, change.before + readFileSync(file, "utf8"));
      }
      said.push({ role: "user", text: turn.say }, await converse(server, chat, turn));
    }
    writeFileSync(join(folder, "chat.json"), JSON.stringify(said, null, 1));
  } finally {
    await server.stop();
  }
}

/** One turn of a chat about code, as npm's `ai` has it: every write is allowed but those that the person refuses. */
async function converse(server, chat, turn) {
  const transport = new DefaultChatTransport({
    api: `${server.origin}/api/ai/chat`,
    headers: { authorization: `Bearer ${server.token}` },
    body: { model: args.model },
  });
  const messages = [{ id: `m${Date.now()}`, role: "user", parts: [{ type: "text", text: turn.say }] }];
  const stream = await transport.sendMessages({ chatId: chat, messages, trigger: "submit-message", abortSignal: undefined });
  const answered = new Set();
  let last;
  for await (const message of readUIMessageStream({ stream, onError: () => {} })) {
    last = structuredClone(message);
    for (const part of last.parts) {
      if (part.state !== "approval-requested" || answered.has(part.approval.id)) continue;
      answered.add(part.approval.id);
      const refused = (turn.refuse ?? []).find(({ path }) => JSON.stringify(part.input).includes(path));
      const body = refused
        ? { approvalId: part.approval.id, allow: false, reason: refused.because }
        : { approvalId: part.approval.id, allow: true, reach: { scope: "once" } };
      const { status, value } = await server.api(`/api/code/chats/${chat}/approve`, { method: "POST", body });
      if (status >= 300) throw new Error(`approving: ${status} ${JSON.stringify(value)}`);
    }
  }
  return last;
}
