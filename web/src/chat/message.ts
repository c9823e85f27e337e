import type { UIMessage } from "ai";
import type { Failure } from "../api/schema";
import { strings } from "../strings";

export type ActionState = "partial" | "done" | "refused" | "reverted";

/** One thing a fairy did, as the stream tells it; a later part with the same id replaces an earlier one. */
export interface ActionData {
  action: number;
  name: string;
  state: ActionState;
  /** What was done, in words; of a refused one, also why. */
  label: string;
  elements: string[];
  icon?: string;
  /** How long it took, once it is over. */
  tookMs?: number;
}

/** Who said something, by the name that they had then. */
export interface Asker {
  subject: string;
  name: string;
}

export interface MessageMetadata {
  run?: string;
  /** Of a question. */
  asker?: Asker;
  /** Whose words a question is, if not the asker's own: a project that they started turns to its fairies. */
  source?: "user" | "self" | "other-agent";
  createdAt?: string | number;
  /** Why the answer could not go on. */
  error?: Failure;
}

export type FairyMessage = UIMessage<MessageMetadata, { action: ActionData }>;
/** A message of any conversation that the server keeps. */
export type AnyMessage = UIMessage<MessageMetadata>;

/** A message as it is read: words, thoughts, and runs of actions that belong together. */
export type Block =
  | { kind: "text"; key: string; text: string }
  | { kind: "thought"; key: string; text: string; open: boolean }
  | { kind: "actions"; key: string; actions: ShownAction[] };

export interface ShownAction {
  key: string;
  name: string;
  icon: string | null;
  label: string;
  /** Its number in its run. */
  action: number;
  /** `stopped`: it was half-made when the stream ended, and so was taken off the page. */
  state: ActionState | "stopped";
  elements: string[];
  tookMs: number | null;
}

function shown(id: string | undefined, data: ActionData, at: number, live: boolean): ShownAction {
  return {
    key: id ?? `action-${at}`,
    name: data.name,
    action: data.action,
    icon: data.icon ?? null,
    label: data.label || data.name || strings.action.unnamed,
    state: data.state === "partial" && !live ? "stopped" : data.state,
    elements: data.elements ?? [],
    tookMs: data.tookMs ?? null,
  };
}

/** Groups a message's parts for reading; `live` while its stream still runs. Empty text makes no block. */
export function blocks(message: FairyMessage, live: boolean): Block[] {
  const out: Block[] = [];
  message.parts.forEach((part, at) => {
    const key = `${part.type}-${at}`;
    switch (part.type) {
      case "text":
        if (part.text.trim()) out.push({ kind: "text", key, text: part.text });
        break;
      case "reasoning":
        if (part.text.trim()) {
          out.push({ kind: "thought", key, text: part.text, open: live && part.state === "streaming" });
        }
        break;
      case "data-action": {
        const action = shown(part.id, part.data, at, live);
        const last = out.at(-1);
        if (last?.kind === "actions") last.actions.push(action);
        else out.push({ kind: "actions", key, actions: [action] });
        break;
      }
    }
  });
  return out;
}

/** The words of a message, for sending again or for a title. */
export function plainText(message: Pick<AnyMessage, "parts">): string {
  return message.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

/** When something was said; 0 for a time nobody gave. */
export function saidAt(message: Pick<AnyMessage, "metadata">): number {
  return Number(new Date(message.metadata?.createdAt ?? 0)) || 0;
}

/** A run begins a moment before the server writes its question down. */
const BEGINNING_MS = 1000;

/** A conversation in the order of its turns: it is stored as it was heard, a question asked meanwhile before the answer. */
export function inOrder<M extends AnyMessage>(messages: readonly M[]): M[] {
  const ordered: M[] = [];
  for (const message of messages) {
    let at = ordered.length;
    const isLater = (other: M | undefined) => other?.role === "user" && saidAt(other) > saidAt(message) + BEGINNING_MS;
    if (message.role === "assistant" && saidAt(message) > 0) while (isLater(ordered[at - 1])) at -= 1;
    ordered.splice(at, 0, message);
  }
  return ordered;
}

/** Shortens to one line, at a word where that does not cost much. */
export function oneLine(text: string, longest: number): string {
  const flat = text.replace(/\s+/g, " ").trim();
  if (flat.length <= longest) return flat;
  const cut = flat.slice(0, longest - 1);
  const space = cut.lastIndexOf(" ");
  return `${(space > longest * 0.6 ? cut.slice(0, space) : cut).trimEnd()}…`;
}

/** `14:05` for something said today, with the date before it otherwise; nothing for a time nobody gave. */
export function clock(at: string | number | undefined, now: Date, locale?: string): string | null {
  if (at === undefined) return null;
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return null;
  const today = date.toDateString() === now.toDateString();
  return new Intl.DateTimeFormat(locale, {
    hour: "2-digit",
    minute: "2-digit",
    ...(today ? {} : { day: "numeric", month: "short" }),
  }).format(date);
}
