import { expect, it } from "vitest";
import type { Fairy, Project, Run, Task } from "../api/types";
import { progressOf, projectOf, timelineOf, withTold } from "./project";

const project = (more: Partial<Project> = {}): Project => ({
  id: "pj_1",
  name: "Garden",
  description: "",
  color: "#2f9e44",
  plan: "",
  page: "pg_1",
  status: "active",
  members: [
    { fairy: "fy_a", role: "orchestrator" },
    { fairy: "fy_b", role: "drone" },
  ],
  former: {},
  createdAt: 1000,
  endedAt: null,
  cost: { inputTokens: 0, outputTokens: 0, usd: 0 },
  message: "",
  budget: {},
  awaited: [],
  waits: [],
  tasks: ["tk_1", "tk_2"],
  ...more,
});
const task = (id: string, status: Task["status"]) => ({ id, status }) as Task;
const run = (id: string, fairy: string, startedAt: number, status: Run["status"] = "pending") =>
  ({ id, fairy, startedAt, status, message: `do ${id}`, elements: [] }) as unknown as Run;
const fairies = [
  { id: "fy_a", name: "Ash" },
  { id: "fy_b", name: "Birch" },
] as Fairy[];

it("a fairy has the project that it is at, and none when that has ended", () => {
  expect(projectOf("fy_b", [project()])?.id).toBe("pj_1");
  expect(projectOf("fy_b", [project({ status: "done" })])).toBeUndefined();
  expect(projectOf("fy_c", [project()])).toBeUndefined();
});

it("counts its own tasks only", () => {
  expect(progressOf(project(), [task("tk_1", "done"), task("tk_2", "todo"), task("tk_3", "done")])).toEqual({ done: 1, all: 2 });
});

it("tells who did what when, between its beginning and its end", () => {
  const told = { ...run("told", "fy_a", 4000), message: 'The task "b" (Beds) is done, by Birch. It was: draw the beds' };
  const runs = [
    run("late", "fy_b", 9000),
    run("early", "fy_a", 500),
    told,
    run("two", "fy_b", 3000, "running"),
    run("one", "fy_a", 1500),
    run("else", "fy_c", 2000),
  ];
  expect(timelineOf(project({ status: "done", endedAt: 5000 }), runs, fairies)).toEqual([
    { key: "one", at: 1500, who: "Ash", what: "do one", now: false },
    { key: "two", at: 3000, who: "Birch", what: "do two", now: true },
    { key: "told", at: 4000, who: "Ash", what: 'The task "b" (Beds) is done, by Birch.', now: false },
    { key: "end", at: 5000, who: "Garden", what: "done", now: false },
  ]);
});

it("tells what somebody did who left, but not what it did then", () => {
  const left = project({ members: [{ fairy: "fy_a", role: "orchestrator" }], former: { fy_b: 3000 } });
  const runs = [run("before", "fy_b", 2000), run("after", "fy_b", 4000)];
  expect(timelineOf(left, runs, fairies).map(({ key, who }) => [key, who])).toEqual([["before", "Birch"]]);
});

it("believes what is told over what was asked for, and keeps both", () => {
  const asked = [run("old", "fy_a", 1500), run("now", "fy_b", 3000, "running")];
  const told = [run("now", "fy_b", 3000, "kept"), run("new", "fy_a", 4000)];
  expect(withTold(asked, told).map(({ id, status }) => [id, status])).toEqual([
    ["old", "pending"],
    ["now", "kept"],
    ["new", "pending"],
  ]);
});
