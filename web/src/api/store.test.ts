import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { WorkspaceStore } from "./store";
import type { Fairy, Workspace } from "./types";

class FakeEvents extends EventTarget {
  static last: FakeEvents;
  onerror: (() => void) | null = null;
  constructor() {
    super();
    FakeEvents.last = this;
  }
  say(name: string, value: unknown) {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(value) }));
  }
  close() {}
}

const empty = { id: "main", pages: [], fairies: [], people: [], tasks: [], runs: [] } as unknown as Workspace;
const fairy = (mode: string) => ({ id: "fy_a", mode }) as Fairy;

function opened() {
  const store = new WorkspaceStore("main");
  const told: (string | undefined)[] = [];
  store.subscribe(() => told.push(store.state().workspace?.fairies[0]?.mode));
  store.open();
  FakeEvents.last.say("snapshot", empty);
  return { store, told, say: (mode: string) => FakeEvents.last.say("change", { kind: "fairy", value: fairy(mode) }) };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("EventSource", FakeEvents);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("the first change is told at once, a burst after it as one, and nothing is lost", () => {
  const { told, say } = opened();
  for (const mode of ["one", "two", "three", "four"]) say(mode);
  expect(told).toEqual([undefined, "one"]);
  vi.advanceTimersByTime(100);
  expect(told).toEqual([undefined, "one", "four"]);
  vi.advanceTimersByTime(1000);
  say("five");
  expect(told).toEqual([undefined, "one", "four", "five"]);
});

test("a line that drops within a burst loses nothing that had come", () => {
  const { store, told, say } = opened();
  say("one");
  say("two");
  FakeEvents.last.onerror?.();
  expect(told).toEqual([undefined, "one", "two"]);
  expect(store.state().line).toBe("lost");
  store.close();
});
