import type { Fairy } from "../api/types";
import { inOrder, plainText, saidAt, type FairyMessage } from "./message";

/** Whom words are for: those who are named in them, or everyone. */
export function addressed<F extends Pick<Fairy, "name">>(text: string, fairies: readonly F[]): F[] {
  const words = text.toLocaleLowerCase().split(/[^\p{L}\p{N}]+/u);
  const named = fairies.filter(({ name }) => {
    const parts = name
      .toLocaleLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean);
    return parts.length > 0 && parts.every((part) => words.includes(part));
  });
  return named.length > 0 ? named : [...fairies];
}

/** The beginning of a sentence that turns to somebody: "Wisp and Fern, ", "@Pip: ". */
const OPENING = /(?<=^|[.!?;\n]\s*)@?([\p{L}\p{N}][\p{L}\p{N} &@]*?)\s*[,:]\s+/gu;

/** The words without the names that they begin with ("Wisp and Fern, ", "@Pip "): whom they are for, they have reached. */
function withoutNames<F extends Pick<Fairy, "name">>(text: string, fairies: readonly F[]): string {
  const escaped = fairies.map(({ name }) => name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  const name = `(?:${escaped.sort((a, b) => b.length - a.length).join("|")})(?![\\p{L}\\p{N}])`;
  const called = `(?:@${name}(?:\\s*[,:&]|\\s+and)?\\s+)+`;
  const turnedTo = `@?${name}(?:\\s*(?:,|&|,?\\s+and)\\s*@?${name})*\\s*[,:!]\\s+`;
  const opening = new RegExp(`^\\s*(?:(?:hi|hey|hello),?\\s+)?(?:${turnedTo}|${called})`, "iu");
  return text.replace(opening, "").trim() || text;
}

/**
 * What each is told: the same words to all they are for, or, where they turn to one after the other ("Fern, draw a
 * cat. Wisp, count the shapes."), to each what begins with its name, after what comes before the first of them.
 */
export function shares<F extends Pick<Fairy, "name">>(text: string, fairies: readonly F[]): Map<F, string> {
  const isFor = (words: string) => {
    const named = addressed(words, fairies);
    return named.length < fairies.length ? named : [];
  };
  const turns = [...text.matchAll(OPENING)].flatMap(({ index, 1: words = "" }) => {
    const to = isFor(words);
    return to.length > 0 ? [{ at: index, to }] : [];
  });
  if (turns.length < 2) {
    const words = withoutNames(text, fairies);
    return new Map(addressed(text, fairies).map((fairy) => [fairy, words]));
  }
  const before = text.slice(0, turns[0]?.at).trim();
  const told = new Map<F, string>();
  turns.forEach(({ at, to }, n) => {
    const words = text.slice(at, turns[n + 1]?.at).trim();
    for (const fairy of to) told.set(fairy, [told.get(fairy) ?? before, words].filter(Boolean).join(" "));
  });
  for (const [fairy, words] of told) told.set(fairy, withoutNames(words, fairies));
  return told;
}

/** One line of a conversation among several: words to some, or one fairy's answer. */
export type GroupLine =
  | { kind: "asked"; key: string; message: FairyMessage; text: string; to: string[]; at: number }
  | { kind: "said"; key: string; fairy: string; run: string | undefined; text: string; elements: string[]; at: number };

/** The same words to several fairies at about the same time were said once. */
const TOGETHER_MS = 5000;

const sameSpeaker = (a: FairyMessage, b: FairyMessage) =>
  a.metadata?.asker?.subject === b.metadata?.asker?.subject && a.metadata?.source === b.metadata?.source;

/** What an answer put on the page or changed there, each thing once. */
function elementsOf(message: FairyMessage): string[] {
  const all = message.parts.flatMap((part) => (part.type === "data-action" && part.data.state === "done" ? part.data.elements : []));
  return [...new Set(all)];
}

/** All conversations as one, oldest first; in each, an answer comes after what it answers. */
export function groupLines(chats: ReadonlyMap<string, readonly FairyMessage[]>): GroupLine[] {
  const lines: GroupLine[] = [];
  for (const [fairy, messages] of chats) {
    let last = 0;
    for (const message of inOrder(messages)) {
      const text = plainText(message).trim();
      const at = Math.max(saidAt(message), last);
      last = at;
      const key = `${fairy} ${message.id}`;
      if (message.role === "assistant") {
        const elements = elementsOf(message);
        const run = message.metadata?.run;
        if (text || elements.length > 0) lines.push({ kind: "said", key, fairy, run, text, elements, at });
        continue;
      }
      const same = lines.find(
        (line) => line.kind === "asked" && line.text === text && Math.abs(line.at - at) < TOGETHER_MS && sameSpeaker(line.message, message),
      );
      if (same?.kind === "asked") {
        same.to.push(fairy);
        // Nobody answers before it was said.
        same.at = Math.min(same.at, at);
      } else lines.push({ kind: "asked", key, message, text, to: [fairy], at });
    }
  }
  // Of one moment, the question comes first.
  return lines.sort((a, b) => a.at - b.at || Number(b.kind === "asked") - Number(a.kind === "asked"));
}
