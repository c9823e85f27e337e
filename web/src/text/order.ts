/**
 * Order keys: strings of 0-9A-Za-z, compared by their characters; ties go by id. A key made after another prefers to
 * lengthen it, so that what one person writes in a row stays together when somebody else writes at the same place.
 */
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const LAST = DIGITS.length - 1;
/** Longer keys are not looked through: whoever made one gets the next beside it. */
const LONGEST = 512;

const digit = (key: string, at: number): number => Math.max(0, DIGITS.indexOf(key[at] ?? "0"));

/** A key between two others; null: the end of the page. Without room it answers one right after `left`. */
export function keyBetween(left: string | null, right: string | null): string {
  const low = left ?? "";
  if (right !== null && low >= right) return `${low}V`;
  let made = "";
  for (let at = 0; at < LONGEST; at++) {
    const a = digit(low, at);
    // Once the key has left `right` behind, there is no upper end.
    const bounded = right?.startsWith(made) === true;
    const b = bounded ? (at < right.length ? digit(right, at) : 0) : LAST + 1;
    if (b - a > 1) {
      const step = at >= low.length ? Math.floor((a + b) / 2) : Math.min(b - 1, a + 1);
      return made + DIGITS[step];
    }
    made += DIGITS[a];
  }
  return `${low}V`;
}

/** Who of these, in the wanted order, needs a new key: all but a longest rising row. */
export function outOfOrder(keys: readonly string[]): Set<number> {
  const tails: number[] = [];
  const before: number[] = [];
  keys.forEach((key, at) => {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (keys[tails[middle]!]! < key) low = middle + 1;
      else high = middle;
    }
    before[at] = low > 0 ? tails[low - 1]! : -1;
    tails[low] = at;
  });
  const moved = new Set(keys.keys());
  for (let at = tails.at(-1) ?? -1; at >= 0; at = before[at]!) moved.delete(at);
  return moved;
}
