import type { Fairy } from "../api/types";
import { plainText, type FairyMessage } from "./message";

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
  if (turns.length < 2) return new Map(addressed(text, fairies).map((fairy) => [fairy, text]));
  const before = text.slice(0, turns[0]?.at).trim();
  const told = new Map<F, string>();
  turns.forEach(({ at, to }, n) => {
    const words = text.slice(at, turns[n + 1]?.at).trim();
    for (const fairy of to) told.set(fairy, [told.get(fairy) ?? before, words].filter(Boolean).join(" "));
  });
  return told;
}

/** One line of a conversation among several: a person's words to some, or one fairy's answer. */
export type GroupLine =
  | { kind: "asked"; key: string; text: string; to: string[]; at: number }
  | { kind: "said"; key: string; fairy: string; text: string; actions: number; at: number };

/** The same words to several fairies at about the same time were said once. */
const TOGETHER_MS = 5000;

const timeOf = (message: FairyMessage) => Number(new Date(message.metadata?.createdAt ?? 0)) || 0;

/** All conversations as one, oldest first. */
export function groupLines(chats: ReadonlyMap<string, readonly FairyMessage[]>): GroupLine[] {
  const lines: GroupLine[] = [];
  for (const [fairy, messages] of chats) {
    for (const message of messages) {
      const text = plainText(message).trim();
      const at = timeOf(message);
      const key = `${fairy} ${message.id}`;
      if (message.role === "assistant") {
        const actions = message.parts.filter((part) => part.type === "data-action" && part.data.state === "done").length;
        if (text || actions > 0) lines.push({ kind: "said", key, fairy, text, actions, at });
        continue;
      }
      const same = lines.find((line) => line.kind === "asked" && line.text === text && Math.abs(line.at - at) < TOGETHER_MS);
      if (same?.kind === "asked") same.to.push(fairy);
      else lines.push({ kind: "asked", key, text, to: [fairy], at });
    }
  }
  // Of one moment, the question comes first.
  return lines.sort((a, b) => a.at - b.at || Number(b.kind === "asked") - Number(a.kind === "asked"));
}
