import { expect, it } from "vitest";
import { glide, landing, thrown, velocity } from "./throwing";

it("throws as fast as the hand moved last, and not when it was put down", () => {
  const hand = [0, 16, 32, 48, 64].map((at) => ({ x: at * 0.5, y: 0, at }));
  expect(velocity(hand)).toEqual({ x: 0.5, y: 0 });
  expect(velocity([...hand, { x: 32, y: 0, at: 400 }])).toEqual({ x: 0, y: 0 });
  expect(velocity([])).toEqual({ x: 0, y: 0 });
  expect(
    velocity([
      { x: 0, y: 0, at: 0 },
      { x: 0, y: 900, at: 10 },
    ]),
  ).toEqual({ x: 0, y: 4 });
});

it("slows down, and lands where it slows to", () => {
  const speed = { x: 2, y: -1 };
  const rest = landing({ x: 10, y: 10 }, speed);
  const end = thrown({ x: 10, y: 10 }, speed, glide(speed));
  expect(Math.hypot(end.x - rest.x, end.y - rest.y)).toBeLessThan(4);
  const [a, b, c] = [0, 100, 200].map((ms) => thrown({ x: 0, y: 0 }, speed, ms).x) as [number, number, number];
  expect(b - a).toBeGreaterThan(c - b);
  expect(glide({ x: 0, y: 0 })).toBe(0);
});
