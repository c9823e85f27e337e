// Starts the real server for a test, in a folder of its own, and stops it again.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { once } from "node:events";

const BIN = process.env.GLADE_BIN ?? resolve(import.meta.dirname, "../../../target/debug/glade");

export class GladeServer {
  /**
   * @param {{pace?: number, model?: string, models?: object, project?: string, flags?: string[]}} options `pace`:
   * words a second of the built-in model, 0 is at once; `model`: what fairies think with; `models`: the contents of
   * models.json; `project`: the folder of the code project; `flags`: further ones of `glade serve`
   */
  static async start(options = {}) {
    const server = new GladeServer();
    server.data = mkdtempSync(join(tmpdir(), "glade-test-"));
    server.pace = options.pace ?? 0;
    server.model = options.model ?? "sketch";
    server.project = options.project;
    server.flags = options.flags ?? [];
    if (options.models) writeFileSync(join(server.data, "models.json"), JSON.stringify(options.models), { mode: 0o600 });
    server.port = 0;
    await server.launch();
    return server;
  }

  async launch() {
    const args = [
      "serve",
      "--listen",
      `127.0.0.1:${this.port}`,
      "--data",
      this.data,
      "--no-open",
      "--sketch-pace",
      String(this.pace),
      "--model",
      this.model,
      ...this.flags,
    ];
    if (this.project) args.push("--project", this.project);
    this.process = spawn(BIN, args, { stdio: ["ignore", "pipe", "pipe"] });
    this.log = "";
    this.process.stderr.on("data", (chunk) => {
      this.log += chunk;
    });
    let out = "";
    this.link = await new Promise((found, failed) => {
      this.process.stdout.on("data", (chunk) => {
        out += chunk;
        const match = out.match(/http:\/\/\S+#key=\S+/);
        if (match) found(match[0]);
      });
      this.process.once("exit", (code) => failed(new Error(`glade ended with ${code}: ${this.log}`)));
      this.process.once("error", failed);
    });
    const url = new URL(this.link);
    this.origin = url.origin;
    this.port = Number(url.port);
    this.token = url.hash.slice("#key=".length);
    this.syncUrl = `ws://${url.host}/sync`;
  }

  async api(path, { method = "GET", body, token = this.token } = {}) {
    const response = await fetch(this.origin + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    const value = text && response.headers.get("content-type")?.includes("json") ? JSON.parse(text) : text;
    return { status: response.status, value };
  }

  async workspace() {
    return (await this.api("/api/workspaces/main")).value;
  }

  async firstPage() {
    return (await this.workspace()).pages[0].id;
  }

  /** The elements of a page as the server holds them, deleted ones included. */
  async elements(page) {
    return (await this.api(`/api/pages/${page}/export?format=json`)).value.elements;
  }

  /** Puts Markdown onto a text page, instead of what is there. */
  async import(page, markdown) {
    const answer = await fetch(`${this.origin}/api/pages/${page}/import?mode=replace`, {
      method: "POST",
      headers: { authorization: `Bearer ${this.token}`, "content-type": "text/markdown" },
      body: markdown,
    });
    if (!answer.ok) throw new Error(`import: ${answer.status} ${await answer.text()}`);
  }

  /** As a power cut would: no goodbye. */
  async kill() {
    const gone = once(this.process, "exit");
    this.process.kill("SIGKILL");
    await gone;
  }

  async restart() {
    await this.kill();
    await this.launch();
  }

  async stop() {
    if (this.process.exitCode === null && this.process.signalCode === null) await this.kill();
    rmSync(this.data, { recursive: true, force: true });
  }
}

/** Waits until `check` gives something true. */
export async function until(check, what, ms = 10_000) {
  const end = Date.now() + ms;
  for (;;) {
    const value = await check();
    if (value) return value;
    if (Date.now() > end) throw new Error(`timed out: ${what}`);
    await new Promise((go) => setTimeout(go, 20));
  }
}
