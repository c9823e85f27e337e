import { Chat } from "@ai-sdk/react";
import { DefaultChatTransport } from "ai";
import { ownFetch } from "../api/client";
import type { Point, Rect } from "../sync";
import type { FairyMessage } from "./message";

/** Something that a person picked for the fairy to look at. */
export type ContextItem = { type: "point"; point: Point } | { type: "area"; bounds: Rect };

/** Where a person is and what they hold when they say something: it goes along with the words. */
export interface AskContext {
  page?: string;
  bounds?: Rect;
  selection?: string[];
  contextItems?: ContextItem[];
}

/** The server keeps the conversation; it needs only what is new, and from where it was said. */
export function requestBody(id: string, messages: readonly FairyMessage[], trigger: string, context: AskContext) {
  return { id, messages: messages.slice(-1), trigger, ...context };
}

export function createChat(fairy: string, context: () => AskContext): Chat<FairyMessage> {
  return new Chat<FairyMessage>({
    id: fairy,
    transport: new DefaultChatTransport<FairyMessage>({
      api: "/api/ai/chat",
      credentials: "same-origin",
      fetch: ownFetch,
      prepareSendMessagesRequest: ({ id, messages, trigger }) => ({
        body: requestBody(id, messages, trigger, context()),
      }),
    }),
  });
}
