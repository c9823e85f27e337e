import { describe, expect, it } from "vitest";
import { along, ease, easeOut, lean, planFlight, spriteSize } from "./flight";

const far = planFlight({ x: 0, y: 0 }, { x: 900, y: 100 }, 1000, "rest");

describe("a flight", () => {
  it("starts where the fairy is and ends where it is wanted, exactly", () => {
    expect(along(far, 1000).at).toEqual({ x: 0, y: 0 });
    expect(along(far, 1000 + far.duration)).toEqual({ at: { x: 900, y: 100 }, heading: { x: 0, y: 0 }, done: true });
    expect(along(far, 99_999).at).toEqual({ x: 900, y: 100 });
  });

  it("bows upwards between, whichever way it goes", () => {
    for (const to of [
      { x: 600, y: 0 },
      { x: -600, y: 0 },
    ]) {
      const flight = planFlight({ x: 0, y: 0 }, to, 0, "rest");
      const middle = along(flight, flight.duration / 2).at;
      expect(middle.x).toBeCloseTo(to.x / 2);
      expect(middle.y).toBeLessThan(-50);
    }
  });

  it("never jumps: each of a hundred moments is close to the one before", () => {
    let before = along(far, 1000).at;
    for (let i = 1; i <= 100; i++) {
      const { at } = along(far, 1000 + (far.duration * i) / 100);
      expect(Math.hypot(at.x - before.x, at.y - before.y)).toBeLessThan(45);
      before = at;
    }
  });

  it("takes longer for a longer way, within patience", () => {
    const hop = planFlight({ x: 0, y: 0 }, { x: 5, y: 0 }, 0, "rest");
    const trip = planFlight({ x: 0, y: 0 }, { x: 400, y: 0 }, 0, "rest");
    const voyage = planFlight({ x: 0, y: 0 }, { x: 100_000, y: 0 }, 0, "rest");
    expect(hop.duration).toBe(220);
    expect(trip.duration).toBeGreaterThan(hop.duration);
    expect(voyage.duration).toBe(1500);
  });

  it("that is sent on midway does not stand still first", () => {
    const from = { x: 0, y: 0 };
    const to = { x: 400, y: 0 };
    const soon = (out: "rest" | "flying") => along(planFlight(from, to, 0, out), 50).at.x;
    expect(soon("flying")).toBeGreaterThan(10 * soon("rest"));
  });

  it("to where one is already is over at once", () => {
    const flight = planFlight({ x: 3, y: 4 }, { x: 3, y: 4 }, 50, "rest");
    expect(along(flight, 50)).toEqual({ at: { x: 3, y: 4 }, heading: { x: 0, y: 0 }, done: true });
  });

  it("shown before its time stays at the start", () => {
    expect(along(far, 0).at).toEqual({ x: 0, y: 0 });
  });
});

describe("ease", () => {
  it("is still at both ends and rises between", () => {
    expect([ease(0), ease(0.5), ease(1)]).toEqual([0, 0.5, 1]);
    expect([easeOut(0), easeOut(1)]).toEqual([0, 1]);
    for (const f of [ease, easeOut]) {
      for (let t = 0; t < 0.99; t += 0.01) expect(f(t + 0.01)).toBeGreaterThanOrEqual(f(t));
    }
  });
});

describe("looks", () => {
  it("lean the way of the flight, and only so far", () => {
    expect(lean({ x: 90, y: 0 })).toBe(5);
    expect(lean({ x: -9000, y: 0 })).toBe(-18);
  });

  it("scale with the zoom, within what can be seen", () => {
    expect([1, 0.5, 2, 0.1, 30].map(spriteSize)).toEqual([60, 30, 120, 18, 240]);
  });
});
