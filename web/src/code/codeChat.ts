import { Chat } from "@ai-sdk/react";
import { DefaultChatTransport } from "ai";
import { ownFetch } from "../api/client";
import type { CodeMessage } from "./types";

const MODEL = "glade.code.model";

/** What answers in the chats about code; nothing is the server's own choice. */
export function chosenModel(): string | null {
  return localStorage.getItem(MODEL);
}

export function chooseModel(model: string | null) {
  if (model) localStorage.setItem(MODEL, model);
  else localStorage.removeItem(MODEL);
}

const chats = new Map<string, Chat<CodeMessage>>();

/** The chat of that id. It goes on while one looks at another, or at a page. */
export function codeChat(id: string): Chat<CodeMessage> {
  const known = chats.get(id);
  if (known) return known;
  const made = new Chat<CodeMessage>({
    id,
    transport: new DefaultChatTransport<CodeMessage>({
      api: "/api/ai/chat",
      credentials: "same-origin",
      fetch: ownFetch,
      // The server keeps the conversation; it needs only what is new.
      prepareSendMessagesRequest: ({ id, messages, trigger, messageId }) => ({
        body: { id, messages: messages.slice(-1), trigger, messageId, model: chosenModel() ?? undefined },
      }),
    }),
  });
  chats.set(id, made);
  return made;
}
