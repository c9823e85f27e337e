/** Characters replaced by others; places as before any change of the same list, in UTF-16 units, in order and apart. */
export interface Splice {
  at: number;
  remove: number;
  insert: string;
}

/** Longer texts are not searched: what differs is one place. */
const MOST_CELLS = 1_000_000;

/**
 * The changes from one text to another: one place where somebody typed, or word by word where one edit changed several,
 * as replacing all does. What stays between them stays whose it was. Of the same letters in a row those are new that
 * end at the caret, if it is known.
 */
export function splicesBetween(before: string, now: string, caret: number | null = null): Splice[] {
  if (before === now) return [];
  const { head, tail } = ends(before, now, caret);
  const [gone, come] = [before.slice(head, before.length - tail), now.slice(head, now.length - tail)];
  const one = [{ at: head, remove: gone.length, insert: come }];
  if (!gone || !come) return one;
  const [olds, news] = [words(gone), words(come)];
  if (olds.length * news.length > MOST_CELLS) return one;
  const kept = keptWords(olds, news);
  return kept.length > 0 ? between(kept, olds, news, head) : one;
}

/** How much both texts begin and end with; never between the two halves of one character. */
function ends(before: string, now: string, caret: number | null): { head: number; tail: number } {
  const most = Math.min(before.length, now.length);
  const behind = caret === null ? null : now.slice(caret);
  const known = behind !== null && behind.length <= most && before.endsWith(behind) ? behind.length : 0;
  let head = 0;
  while (head < most - known && before[head] === now[head]) head++;
  if (isLow(before.charCodeAt(head)) || isLow(now.charCodeAt(head))) head = Math.max(0, head - 1);
  let tail = 0;
  while (tail < most - head && before[before.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  if (tail > 0 && (isLow(before.charCodeAt(before.length - tail)) || isLow(now.charCodeAt(now.length - tail)))) tail--;
  return { head, tail };
}

const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;

/** Words, spaces, and each other sign by itself. */
const words = (text: string): string[] => text.match(/[\p{L}\p{N}\p{M}_]+|\s+|./gsu) ?? [];

/** The most words that both have in the same order, as pairs of places. Spaces and signs count less than words. */
function keptWords(olds: readonly string[], news: readonly string[]): [number, number][] {
  const width = news.length + 1;
  const best = new Uint32Array((olds.length + 1) * width);
  const worth = (word: string) => (/[\p{L}\p{N}]/u.test(word) ? 4 : 1);
  for (let i = olds.length - 1; i >= 0; i--) {
    for (let j = news.length - 1; j >= 0; j--) {
      const skipped = Math.max(best[(i + 1) * width + j]!, best[i * width + j + 1]!);
      const taken = olds[i] === news[j] ? best[(i + 1) * width + j + 1]! + worth(olds[i]!) : 0;
      best[i * width + j] = Math.max(skipped, taken);
    }
  }
  const kept: [number, number][] = [];
  for (let i = 0, j = 0; i < olds.length && j < news.length; ) {
    const here = best[i * width + j]!;
    if (olds[i] === news[j] && here === best[(i + 1) * width + j + 1]! + worth(olds[i]!)) kept.push([i++, j++]);
    else if (here === best[(i + 1) * width + j]) i++;
    else j++;
  }
  return kept;
}

/** What lies between the words that stay. */
function between(kept: readonly [number, number][], olds: readonly string[], news: readonly string[], start: number): Splice[] {
  const found: Splice[] = [];
  let [i, j, at] = [0, 0, start];
  for (const [oldAt, newAt] of [...kept, [olds.length, news.length] as [number, number]]) {
    const remove = olds.slice(i, oldAt).join("").length;
    const insert = news.slice(j, newAt).join("");
    if (remove > 0 || insert) found.push({ at, remove, insert });
    at += remove + (olds[oldAt]?.length ?? 0);
    [i, j] = [oldAt + 1, newAt + 1];
  }
  return found;
}
