import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { perFrame } from "./frames";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("requestAnimationFrame", (run: () => void) => setTimeout(run, 16));
  vi.stubGlobal("cancelAnimationFrame", clearTimeout);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("work that is asked for often is done once a frame", () => {
  let done = 0;
  const soon = perFrame(() => done++);
  for (let n = 0; n < 5; n++) soon.ask();
  expect(done).toBe(0);
  vi.advanceTimersByTime(17);
  expect(done).toBe(1);
  soon.ask();
  vi.advanceTimersByTime(17);
  expect(done).toBe(2);
});

test("costly work rests before it is done again, and what was asked for meanwhile is done once", () => {
  const at: number[] = [];
  const soon = perFrame(
    () => {
      at.push(performance.now());
      vi.advanceTimersByTime(10);
    },
    (cost) => cost * 8,
  );
  const began = performance.now();
  soon.ask();
  vi.advanceTimersByTime(17);
  expect(at.map((time) => Math.round(time - began))).toEqual([16]);
  for (let n = 0; n < 6; n++) {
    soon.ask();
    vi.advanceTimersByTime(10);
  }
  expect(at).toHaveLength(1);
  vi.advanceTimersByTime(60);
  expect(at).toHaveLength(2);
  expect(at[1]! - at[0]!).toBeGreaterThanOrEqual(90);
});

test("nothing is done after it was cancelled, not even after a rest", () => {
  let done = 0;
  const soon = perFrame(
    () => done++,
    () => 50,
  );
  soon.ask();
  vi.advanceTimersByTime(17);
  soon.ask();
  soon.cancel();
  vi.advanceTimersByTime(1000);
  expect(done).toBe(1);
});
