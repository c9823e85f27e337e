import { expect, it } from "vitest";
import type { Task } from "../api/types";
import { offerStands } from "./offer";

const given = { id: "t", status: "todo", assignee: null } as Task;
const stands = (...tasks: Partial<Task>[]) =>
  offerStands(
    tasks.map((task) => ({ ...given, ...task })),
    given,
    "fern",
  );

it("stands before and after it is heard that the task was given", () => {
  expect([stands({}), stands({ assignee: "fern" })]).toEqual([true, true]);
});

it("goes when the task is started, given to another or deleted", () => {
  expect([stands({ assignee: "fern", status: "in-progress" }), stands({ assignee: "wisp" }), stands({ id: "other" })]).toEqual([
    false,
    false,
    false,
  ]);
});
