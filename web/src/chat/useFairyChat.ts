import { useChat, type Chat } from "@ai-sdk/react";
import { useCallback, useEffect, useRef, useState } from "react";
import { api } from "../api/client";
import type { Line } from "../api/store";
import { whilePresent } from "../app/whilePresent";
import { asker } from "./asked";
import { plainText, type AnyMessage, type FairyMessage } from "./message";

/** How a conversation stands in this tab. */
export type ChatState =
  /** What was said is being fetched. */
  | { is: "loading" }
  /** It could not be fetched. */
  | { is: "lost" }
  | { is: "quiet" }
  /** A reply is on its way to this tab. */
  | { is: "streaming" }
  /** The last words, or the reply to them, did not get through. */
  | { is: "failed"; error: Error };

export interface FairyChat<M extends AnyMessage = FairyMessage> {
  messages: M[];
  state: ChatState;
  send(text: string): Promise<void>;
  retry(): Promise<void>;
  stop(): Promise<void>;
  clearError(): void;
  /** Fetches what was said, and follows what is being said. */
  reload(): Promise<void>;
  /** Fetches what was said. */
  refresh(): Promise<void>;
}

const inFlight = <M extends AnyMessage>(chat: Chat<M>) => chat.status === "submitted" || chat.status === "streaming";

/** Whether the reply of a run is in the conversation. */
const tells = <M extends AnyMessage>(chat: Chat<M>, run: string) => chat.messages.some((message) => message.metadata?.run === run);

/** The store's own time to write a reply down once its run is over. */
const SETTLE_MS = 400;

/**
 * One conversation in this tab, with a fairy or about code. The server owns
 * it: this loads it, follows a reply that is already being given (after a
 * reload, or because another tab asked), and reads it again where this tab may
 * have missed some. `stopReply` is how the server is told to stop it.
 */
export function useFairyChat<M extends AnyMessage = FairyMessage>(
  chat: Chat<M>,
  runningRun: string | undefined,
  line: Line,
  stopReply: (chat: string) => Promise<unknown> = api.stop,
): FairyChat<M> {
  const [history, setHistory] = useState<"loading" | "quiet" | "lost">("loading");
  const { messages, status, error } = useChat<M>({ chat, throttle: 40 });
  const followed = useRef<string | undefined>(undefined);
  const stale = useRef(false);

  const load = useCallback(async () => {
    try {
      const { messages } = await api.history<M>(chat.id);
      // Said while we asked: what streams now is newer than what was stored.
      if (!inFlight(chat)) chat.messages = messages;
      setHistory("quiet");
    } catch {
      setHistory((was) => (was === "quiet" ? was : "lost"));
    }
  }, [chat]);

  const reload = useCallback(async () => {
    await load();
    if (!inFlight(chat)) {
      chat.clearError();
      await chat.resumeStream();
    }
  }, [chat, load]);

  useEffect(() => {
    setHistory("loading");
    void reload();
  }, [reload]);

  // Follow a run this tab did not start. Its own runs name themselves in the
  // reply's metadata, so they are known here before they end.
  useEffect(() => {
    if (!runningRun || history === "loading" || inFlight(chat) || document.hidden) return;
    if (followed.current === runningRun) return;
    if (tells(chat, runningRun)) return;
    followed.current = runningRun;
    void reload();
  }, [chat, runningRun, history, status, reload]);

  // A run ended between our reading the history and asking for its stream: it is in neither.
  const lastRun = useRef(runningRun);
  useEffect(() => {
    const ended = lastRun.current;
    lastRun.current = runningRun;
    if (!ended || ended === runningRun) return;
    const timer = setTimeout(() => {
      if (!inFlight(chat) && !tells(chat, ended)) void load();
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [chat, runningRun, load]);

  // The line was lost and is back: catch up, but leave words that never got
  // through for the person to send again.
  const before = useRef(line);
  useEffect(() => {
    const unsent = chat.status === "error" && chat.messages.at(-1)?.role === "user";
    if (line === "live" && before.current === "lost" && !inFlight(chat) && !unsent) void reload();
    before.current = line;
  }, [chat, line, reload]);

  // Out of sight: let go of the stream, the fairy works on. Seen again: catch up.
  useEffect(
    () =>
      whilePresent(
        () => void reload(),
        () => {
          if (inFlight(chat)) void chat.stop();
        },
      ),
    [chat, reload],
  );

  // A reply was cut short by the person's next words: how it really ended is in the store.
  useEffect(() => {
    if (status === "ready" && stale.current) {
      stale.current = false;
      void load();
    }
  }, [status, load]);

  const send = useCallback(
    async (text: string) => {
      if (inFlight(chat)) {
        await chat.stop();
        stale.current = true;
      }
      chat.clearError();
      await chat.sendMessage({ text, metadata: { createdAt: Date.now(), ...asker() } } as Parameters<typeof chat.sendMessage>[0]);
    },
    [chat],
  );

  const retry = useCallback(async () => {
    // Sending again would interrupt a fairy that did hear the words: only what
    // was never answered is sent again, a broken reply is picked up where it is.
    const last = chat.messages.at(-1);
    if (last?.role !== "user") return reload();
    chat.messages = chat.messages.slice(0, -1);
    await send(plainText(last));
  }, [chat, send, reload]);

  const stop = useCallback(async () => {
    const last = chat.messages.at(-1)?.id;
    await stopReply(chat.id);
    // The stream closes by itself once the page is quiet. If it hangs, let go
    // of it; unless the person has said something new meanwhile.
    setTimeout(() => {
      if (inFlight(chat) && chat.messages.at(-1)?.id === last) {
        stale.current = true;
        void chat.stop();
      }
    }, 1500);
  }, [chat, stopReply]);

  return {
    messages,
    state:
      status === "submitted" || status === "streaming"
        ? { is: "streaming" }
        : status === "error" && error
          ? { is: "failed", error }
          : { is: history },
    send,
    retry,
    stop,
    clearError: chat.clearError,
    reload,
    refresh: load,
  };
}
