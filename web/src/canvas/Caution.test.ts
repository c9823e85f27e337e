import { describe, expect, test } from "vitest";
import { Caution } from "./Caution";

const page = Array.from({ length: 1_000 }, (_, at) => `e${at}`);

/** Opens a page in an editor that breaks over some elements, as often as it takes. Answers how often it broke. */
function openWith(caution: Caution, bad: ReadonlySet<string>): { shown: string[]; breaks: number } {
  for (let breaks = 0; ; breaks += 1) {
    const sound = page.filter((id) => !caution.aside.has(id));
    const shown: string[] = [];
    const give = (ids: readonly string[]) => {
      caution.giving(ids);
      if (ids.some((id) => bad.has(id))) return false;
      shown.push(...ids);
      return true;
    };
    const whole =
      give(sound.filter((id) => !caution.isDoubtful(id))) && caution.groups().every((group) => give(group) && (caution.stood(group), true));
    if (whole) return { shown: shown.sort(), breaks };
    if (!caution.broke()) throw new Error("gave up");
  }
}

describe("an editor that breaks over an element", () => {
  test("is given the page without it, after a few tries", () => {
    for (const bad of [["e0"], ["e999"], ["e500"], ["e3", "e700"]]) {
      const caution = new Caution(() => 0);
      const { shown, breaks } = openWith(caution, new Set(bad));
      expect([...caution.aside].sort()).toEqual(bad);
      expect(shown).toEqual(page.filter((id) => !bad.includes(id)).sort());
      expect(breaks).toBeLessThanOrEqual(5 * bad.length);
    }
  });

  test("lays nothing to elements that it has shown for a while", () => {
    let now = 0;
    const caution = new Caution(() => now);
    caution.giving(["a"]);
    now = 5_000;
    expect(caution.broke()).toBe(true);
    expect(caution.aside.size).toBe(0);
  });

  test("is not tried for ever", () => {
    const caution = new Caution(() => 0);
    let tries = 0;
    while (caution.broke()) tries += 1;
    expect(tries).toBe(24);
  });
});
