import { describe, expect, it } from "vitest";
import type { Run, Why, Workspace } from "../api/types";
import { storyOf } from "./story";

const run = (id: string, change: Partial<Run> = {}): Run => ({
  id,
  fairy: "fy_a",
  author: "fairy:fy_a",
  status: "pending",
  page: "pg_a",
  message: `please ${id}`,
  startedAt: Number(id.replace(/\D/g, "")),
  endedAt: null,
  cost: { inputTokens: 0, outputTokens: 0, usd: 0 },
  steps: [],
  elements: ["box"],
  settled: false,
  ...change,
});

const why = (element: string, ...runs: [Run, string[]][]): Why => ({
  element,
  runs: runs.map(([run, properties]) => ({ run, properties, fairyName: null })),
});

const workspace = (runs: Run[] = []) =>
  ({ id: "main", pages: [], fairies: [{ id: "fy_a", name: "Puck" }], people: [], tasks: [], projects: [], runs }) as unknown as Workspace;

describe("the story of a shape", () => {
  it("says that a person drew what no fairy touched", () => {
    expect(storyOf(why("box"), null, workspace())).toEqual({ byPerson: true, chapters: [] });
  });

  it("tells who drew it, when, what was asked and what became of it", () => {
    expect(storyOf(why("box", [run("run_1"), [""]]), null, workspace())).toEqual({
      byPerson: false,
      chapters: [
        { run: "run_1", fairy: "fy_a", line: "Puck drew this", at: 1, prompt: "please run_1", fate: "not decided yet", open: true },
      ],
    });
  });

  it("tells a person's box that a fairy coloured as both", () => {
    const { byPerson, chapters } = storyOf(why("box", [run("run_1"), ["backgroundColor"]]), null, workspace());
    expect([byPerson, chapters.map(({ line }) => line)]).toEqual([true, ["Puck changed this"]]);
  });

  it("takes the label's runs in, each run once, in the order of time", () => {
    const label = why("label", [run("run_2"), [""]], [run("run_1"), [""]]);
    const { byPerson, chapters } = storyOf(why("box", [run("run_2"), ["x"]], [run("run_3"), ["y"]]), label, workspace());
    expect(byPerson).toBe(true);
    expect(chapters.map(({ run, line }) => [run, line])).toEqual([
      ["run_1", "Puck changed this"],
      ["run_2", "Puck changed this"],
      ["run_3", "Puck changed this"],
    ]);
  });

  it("believes the workspace over an older answer", () => {
    const kept = run("run_1", { status: "kept", settled: true });
    expect(storyOf(why("box", [run("run_1"), [""]]), null, workspace([kept])).chapters[0]).toMatchObject({ fate: "kept", open: false });
  });

  it("has no chat to lead to when the fairy has left", () => {
    const [chapter] = storyOf(why("box", [run("run_1", { fairy: "fy_gone" }), [""]]), null, workspace()).chapters;
    expect(chapter).toMatchObject({ fairy: null, line: "A fairy that has left drew this" });
  });
});
