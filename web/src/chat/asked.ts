import { nameOf } from "../api/names";
import { signIn } from "../api/signIn";
import { strings } from "../strings";
import type { AnyMessage, Asker } from "./message";

/** This tab's person, as the server will name them: for a message that is on its way. */
export function asker(): { asker?: Asker } {
  const own = signIn.own;
  return own ? { asker: { subject: own.subject, name: own.name } } : {};
}

/** Who said the words of a message, for this tab's person. Messages from before the server kept it are somebody's. */
export function askedBy({ metadata }: AnyMessage): string {
  if (metadata?.source === "other-agent") return strings.chat.project;
  const by = metadata?.asker;
  if (!by) return strings.chat.somebody;
  return by.subject === signIn.own?.subject ? strings.chat.you : nameOf(by);
}
