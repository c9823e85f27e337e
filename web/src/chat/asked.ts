import { signIn } from "../api/signIn";
import { hash } from "../app/identity";
import { plainText, type AnyMessage } from "./message";

/**
 * Which words of a conversation were said in this browser. Everybody who sees a fairy sees all that was said to it, and
 * the server does not tell by whom: what was not said here was said by somebody.
 */
interface Said {
  /** Of the words; they themselves are not kept. */
  words: number;
  at: number;
}

/** The server's clock may be another one. */
const ABOUT_MS = 120_000;
const MOST = 300;
const key = () => `glade.asked.${signIn.own?.subject ?? ""}`;

function remembered(): Said[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key()) ?? "[]");
    return Array.isArray(value) ? (value as Said[]) : [];
  } catch {
    return [];
  }
}

export function remember(text: string, at = Date.now()): void {
  const all = [...remembered(), { words: hash(text.trim()), at }].slice(-MOST);
  try {
    localStorage.setItem(key(), JSON.stringify(all));
  } catch {
    // Without storage one's own words are somebody's after a reload.
  }
}

export function saidHere(message: AnyMessage): boolean {
  const words = hash(plainText(message).trim());
  const at = Number(new Date(message.metadata?.createdAt ?? 0));
  return remembered().some((said) => said.words === words && Math.abs(said.at - at) < ABOUT_MS);
}
