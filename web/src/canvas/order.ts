/** Gives every element of a sorted list a valid order key, leaving valid ones as they are: id → key. */
export type RepairIndices = (sorted: readonly { id: string; index: string | null }[]) => Map<string, string | null>;

/** What of a scene's element has to do with its order. */
export interface Ordered {
  id: string;
  index: string | null;
}

/** One element's place: its register, and the order key that the editor needs, which may be a repaired one. */
interface Entry {
  id: string;
  register: string | null;
  index: string | null;
}

/** The document's register of an element; undefined for what the document does not have. */
export type Register = (id: string) => string | null | undefined;

/**
 * The scene in the order of the document's registers (ties by id, elements without one last), each with the order key
 * that the editor needs. Always made from the registers and never from an earlier repair, so that everybody who has
 * the same document sees the same order. What the document does not have stays where the editor has put it.
 *
 * The order is kept from one change to the next: whoever is new or has moved is put in its place, and only keys around
 * it are repaired anew. A stretch of keys that are the same, or none, is repaired between the key before it and the
 * next larger one, so no farther than that can a change be felt.
 */
export class SceneOrder {
  private entries: Entry[] = [];
  private readonly known = new Map<string, Entry>();
  private readonly touched = new Set<Entry>();
  /** Whether it can be kept: not with keys that no repair respects, nor with elements that only the editor knows. */
  keeps = false;

  constructor(private readonly repair: RepairIndices) {}

  /** Orders all of a scene anew. Answers ids and keys, in order. */
  arrange(scene: readonly Ordered[], register: Register): readonly Readonly<Ordered>[] {
    this.known.clear();
    this.touched.clear();
    this.keeps = true;
    this.entries = scene.map(({ id, index }) => {
      const stored = register(id);
      const entry = { id, register: keyed(stored === undefined ? index : stored), index: null };
      this.keeps &&= stored !== undefined;
      this.known.set(id, entry);
      return entry;
    });
    this.entries.sort(compare);
    this.repairBetween(0, this.entries.length);
    return this.entries;
  }

  /** Whether this is still the order of that scene. */
  follows(scene: readonly Ordered[]): boolean {
    if (!this.keeps || scene.length !== this.entries.length) return false;
    for (let at = 0; at < scene.length; at++) {
      if (scene[at]?.id !== this.entries[at]?.id) return false;
    }
    return true;
  }

  /** The next scene is ordered anew. */
  forget(): void {
    this.keeps = false;
  }

  /** Where in the scene an element is; -1 if it is not there. */
  place(id: string): number {
    const entry = this.known.get(id);
    return entry ? this.find(entry) : -1;
  }

  /** Whether it is known that an element does not stand where its register says. */
  isElsewhere(id: string, register: string | null): boolean {
    return this.keeps && this.known.get(id)?.register !== keyed(register);
  }

  /** Takes an element out; answers where it was, or -1. */
  take(id: string): number {
    const at = this.place(id);
    const entry = this.entries[at];
    if (!entry) return -1;
    this.entries.splice(at, 1);
    this.known.delete(id);
    this.touched.delete(entry);
    this.touch(at - 1, at);
    return at;
  }

  /** Puts in an element that is not there; answers where. */
  put(id: string, register: string | null): number {
    const entry = { id, register: keyed(register), index: null };
    const at = this.find(entry);
    this.entries.splice(at, 0, entry);
    this.known.set(id, entry);
    this.touch(at - 1, at, at + 1);
    return at;
  }

  /**
   * Repairs keys around what was taken out and put in. Answers the places whose keys may be others now; null when that
   * cannot be said, and all must be ordered anew.
   */
  settle(): Map<number, string | null> | null {
    const changed = new Map<number, string | null>();
    for (const entry of this.touched) {
      const at = this.find(entry);
      if (changed.has(at)) continue;
      let from = at;
      while (from > 0 && !this.leads(from)) from--;
      let to = at + 1;
      while (to < this.entries.length && !this.leads(to)) to++;
      this.repairBetween(from, to);
      for (let each = from; each < to; each++) changed.set(each, this.entries[each]?.index ?? null);
    }
    this.touched.clear();
    return this.keeps ? changed : null;
  }

  /** Whether a key can stay as it is: it is one, and larger than all before it. */
  private leads(at: number): boolean {
    const register = this.entries[at]?.register ?? null;
    return register !== null && register !== this.entries[at - 1]?.register;
  }

  /** Repairs the keys of these places; the one behind them is the bound that they stay below. */
  private repairBetween(from: number, to: number): void {
    const stretch = this.entries.slice(from, to + 1);
    const repaired = this.repair(stretch.map(({ id, register }) => ({ id, index: register })));
    for (let at = from; at < to; at++) {
      const entry = this.entries[at] as Entry;
      entry.index = repaired.get(entry.id) ?? entry.register;
      // A key that could stay and did not is none: nothing can be said of what is around it.
      this.keeps &&= !this.leads(at) || entry.index === entry.register;
    }
  }

  private touch(...places: number[]): void {
    for (const at of places) {
      const entry = this.entries[at];
      if (entry) this.touched.add(entry);
    }
  }

  /** The first place whose element does not belong before this one. */
  private find(entry: Entry): number {
    let low = 0;
    let high = this.entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(this.entries[middle] as Entry, entry) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** No key at all is what an empty one is. */
const keyed = (register: string | null): string | null => register || null;

function compare(a: Entry, b: Entry): number {
  if (a.register !== b.register) {
    if (a.register === null) return 1;
    if (b.register === null) return -1;
    return a.register < b.register ? -1 : 1;
  }
  return a.id === b.id ? 0 : a.id < b.id ? -1 : 1;
}
