import rules from "../../../crates/glade-doc/src/element-rules.json";
import type { Fault } from "./elementRules";
import { isAlive } from "./projection";
import type { Props } from "./schema";
import { strokesOf } from "./strokes";

/**
 * What it takes to draw a page, all its elements together. Each may be within its own limit, and thousands of them
 * still keep the editor busy for minutes: a page that came to be so before the server counted them
 * (`glade-doc/src/page_load.rs`) is shown without those that take most.
 */
export class PageLoad {
  private readonly strokes = new Map<string, number>();
  private total = 0;
  private beyond = new Map<string, Fault>();
  private changed = false;

  /** Takes note of an element as it is now: nothing, for one that is not shown anyway. */
  set(id: string, props: Props | undefined): void {
    const before = this.strokes.get(id) ?? 0;
    const now = props && isAlive(props) ? strokesOf(props).count : 0;
    if (now === before) return;
    if (now > 0) this.strokes.set(id, now);
    else this.strokes.delete(id);
    this.total += now - before;
    this.changed = true;
  }

  clear(): void {
    this.strokes.clear();
    this.beyond.clear();
    this.total = 0;
  }

  faultOf(id: string): Fault | undefined {
    return this.beyond.get(id);
  }

  entries(): Iterable<[string, Fault]> {
    return this.beyond;
  }

  /** Decides anew which elements are shown. Answers those for which that is different now. */
  settle(): string[] {
    if (!this.changed) return [];
    this.changed = false;
    const was = this.beyond;
    this.beyond = this.total > rules.page.strokes ? this.costliest() : new Map();
    return [...new Set([...was.keys(), ...this.beyond.keys()])].filter((id) => was.has(id) !== this.beyond.has(id));
  }

  /** The elements that take most, as many as must go so that the others can be drawn. */
  private costliest(): Map<string, Fault> {
    const sorted = [...this.strokes].sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1));
    const beyond = new Map<string, Fault>();
    let left = this.total;
    for (const [id, count] of sorted) {
      if (left <= rules.page.strokes) break;
      beyond.set(id, { property: "type", kind: "page" });
      left -= count;
    }
    return beyond;
  }
}
