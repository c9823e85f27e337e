import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { atPace } from "./pace";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("at no pace everything is shown at once", () => {
  const seen: number[] = [];
  const paced = atPace(
    (value: number) => seen.push(value),
    () => 0,
  );
  [1, 2, 3].forEach(paced.tell);
  expect(seen).toEqual([1, 2, 3]);
});

test("at a pace the first is shown at once, then the newest of each while, and the last in any case", () => {
  const seen: number[] = [];
  const paced = atPace(
    (value: number) => seen.push(value),
    () => 100,
  );
  for (let value = 1; value <= 25; value++) {
    paced.tell(value);
    vi.advanceTimersByTime(10);
  }
  vi.advanceTimersByTime(1000);
  expect(seen).toEqual([1, 10, 20, 25]);
});

test("a pace that quickens is kept with what is told next, and after the end nothing is shown", () => {
  const seen: number[] = [];
  let pace = 100;
  const paced = atPace(
    (value: number) => seen.push(value),
    () => pace,
  );
  paced.tell(1);
  paced.tell(2);
  pace = 0;
  paced.tell(3);
  expect(seen).toEqual([1, 3]);
  pace = 100;
  paced.tell(4);
  paced.cancel();
  vi.advanceTimersByTime(1000);
  expect(seen).toEqual([1, 3]);
});
