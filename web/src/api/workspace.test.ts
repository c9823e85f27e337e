import { describe, expect, it } from "vitest";
import type { Fairy, Page, Run, Workspace } from "./types";
import { nameOf, orderedPages, pageToOpen, pendingOn, reduce, runningRun, runsToSettle, type Change } from "./workspace";

const page = (id: string, position: number, kind: Page["kind"] = "canvas"): Page => ({
  id,
  name: id,
  kind,
  tier: "internal",
  position,
});

const fairy = (id: string, name = "Puck"): Fairy => ({
  id,
  name,
  mode: "idling",
  page: "pg_a",
  model: "sketch",
  modelLabel: "sketch: built-in, rule-based",
  hat: "pointy",
  hatColor: "#2f9e44",
  color: "#7048e8",
  position: { x: 0, y: 0 },
  todos: [],
  tasks: [],
  runs: [],
  sign: "",
  personality: "",
  planFirst: false,
  keepAtOnce: false,
  scope: {},
  limits: {},
});

const run = (id: string, change: Partial<Run> = {}): Run => ({
  id,
  fairy: "fy_a",
  author: "fairy:fy_a",
  status: "pending",
  page: "pg_a",
  message: "Draw a flow: A -> B",
  startedAt: 1,
  endedAt: 2,
  cost: { inputTokens: 0, outputTokens: 0, usd: 0 },
  steps: [],
  elements: ["e1"],
  settled: false,
  ...change,
});

const workspace = (change: Partial<Workspace> = {}): Workspace => ({
  id: "main",
  pages: [page("pg_a", 0)],
  fairies: [fairy("fy_a")],
  people: [{ subject: "person:owner", name: "Owner", online: true, ops: [], page: null }],
  tasks: [],
  projects: [],
  runs: [],
  pluginsOff: [],
  code: null,
  ...change,
});

describe("reduce", () => {
  it("adds what is new and replaces what is known, in place", () => {
    const before = workspace({ runs: [run("run_1", { status: "running" }), run("run_2")] });
    const ended = reduce(before, { kind: "run", value: run("run_1", { status: "pending" }) });
    expect(ended).toEqual(workspace({ runs: [run("run_1", { status: "pending" }), run("run_2")] }));
    const more = reduce(ended, { kind: "run", value: run("run_3") });
    expect(more.runs.map(({ id }) => id)).toEqual(["run_1", "run_2", "run_3"]);
  });

  it("knows people by their subject", () => {
    const gone = { subject: "person:owner", name: "Owner", online: false, ops: [], page: null };
    expect(reduce(workspace(), { kind: "person", value: gone })).toEqual(workspace({ people: [gone] }));
    expect(reduce(workspace(), { kind: "person", removed: "person:owner" })).toEqual(workspace({ people: [] }));
  });

  it("removes pages and fairies by id", () => {
    const emptied = reduce(reduce(workspace(), { kind: "page", removed: "pg_a" }), { kind: "fairy", removed: "fy_a" });
    expect(emptied).toEqual(workspace({ pages: [], fairies: [] }));
  });

  it("takes over which plugins are switched off, all of them at once", () => {
    const before = workspace({ pluginsOff: ["embeds"] });
    expect(reduce(before, { kind: "plugins", value: ["embeds", "tables"] })).toEqual(workspace({ pluginsOff: ["embeds", "tables"] }));
    expect(reduce(before, { kind: "plugins", value: [] })).toEqual(workspace({ pluginsOff: [] }));
  });

  it("leaves everything alone on a kind from a newer server", () => {
    const before = workspace();
    const strange = { kind: "weather", value: { id: "w" } } as unknown as Change;
    expect(reduce(before, strange)).toBe(before);
  });

  it("never changes the workspace it was given", () => {
    const before = workspace();
    const copy = structuredClone(before);
    reduce(before, { kind: "fairy", value: fairy("fy_a", "Moth") });
    expect(before).toEqual(copy);
  });
});

describe("pages", () => {
  const three = workspace({ pages: [page("pg_c", 2), page("pg_t", 0, "text"), page("pg_b", 1)] });

  it("come in the order people gave them", () => {
    expect(orderedPages(three).map(({ id }) => id)).toEqual(["pg_t", "pg_b", "pg_c"]);
  });

  it("open the one asked for, else the first canvas", () => {
    expect(pageToOpen(three, "pg_c")?.id).toBe("pg_c");
    expect(pageToOpen(three, "pg_gone")?.id).toBe("pg_b");
    expect(pageToOpen(workspace({ pages: [] }), null)).toBeUndefined();
  });
});

describe("runs", () => {
  const many = workspace({
    runs: [
      run("run_busy", { status: "running" }),
      run("run_kept", { status: "kept", settled: true }),
      run("run_words", { elements: [] }),
      run("run_other", { fairy: "fy_b" }),
      run("run_cut", { status: "cancelled" }),
      run("run_done"),
    ],
  });

  it("are to be settled when finished with something to show, stopped ones too", () => {
    expect(runsToSettle(many, "fy_a").map(({ id }) => id)).toEqual(["run_cut", "run_done"]);
  });

  it("are pending on the page they drew on, whoever drew", () => {
    expect(pendingOn(many, "pg_a").map(({ id }) => id)).toEqual(["run_other", "run_cut", "run_done"]);
    expect(pendingOn(many, "pg_b")).toEqual([]);
  });

  it("say which one is going on", () => {
    expect(runningRun(many, "fy_a")?.id).toBe("run_busy");
    expect(runningRun(many, "fy_b")).toBeUndefined();
  });
});

describe("nameOf", () => {
  it("knows me, people, fairies, and makes do with a stranger's subject", () => {
    const me = "person:owner";
    expect(nameOf(workspace(), me, me)).toBe("you");
    expect(nameOf(workspace(), me, "person:guest")).toBe("Owner");
    expect(nameOf(workspace(), "fairy:fy_a", me)).toBe("Puck");
    expect(nameOf(null, "person:ada", me)).toBe("ada");
  });
});
