import type { Chat } from "@ai-sdk/react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Fairy } from "../api/types";
import type { CanvasHandle } from "../canvas";
import { askContext } from "../chat/context";
import { createChat, type AskContext, type ContextItem } from "../chat/createChat";
import type { FairyMessage } from "../chat/message";

export interface Asking {
  /** The shapes selected on the page. */
  selection: string[];
  /** The selection that was taken out of the next words. */
  leftOut: readonly string[];
  leaveOut(ids: readonly string[]): void;
  viewAlong: boolean;
  setViewAlong(along: boolean): void;
  picked: readonly ContextItem[];
  pick(item: ContextItem): void;
  unpick(at: number): void;
  /** Whether the person is pointing at a place now. */
  picking: boolean;
  setPicking(picking: boolean): void;
  /** What goes along with words said now. What was picked goes along once. */
  take(): AskContext;
  /** The conversation with the fairy. It goes on while one looks at another. */
  chat: Chat<FairyMessage> | null;
}

/** What a person has in hand when they say something to a fairy, and where they say it. */
export function useAsking(page: string | undefined, handle: CanvasHandle | null, fairy: Fairy | undefined): Asking {
  const [selection, setSelection] = useState<string[]>([]);
  const [leftOut, leaveOut] = useState<readonly string[]>([]);
  const [viewAlong, setViewAlong] = useState(true);
  const [picked, setPicked] = useState<readonly ContextItem[]>([]);
  const [picking, setPicking] = useState(false);

  useEffect(() => {
    setSelection(handle?.selection() ?? []);
    return handle?.onSelection((ids) => {
      setSelection(ids);
      leaveOut([]);
    });
  }, [handle]);

  const latest = useRef<() => AskContext>(() => ({}));
  latest.current = askContext({ page, handle, selection, leftOut, viewAlong, picked });
  const take = useCallback(() => {
    // Picked for these words; the next ones may be about something else.
    setPicked([]);
    return latest.current();
  }, []);

  const chats = useRef(new Map<string, Chat<FairyMessage>>());
  const id = fairy?.id;
  const chat = useMemo(() => {
    if (!id) return null;
    const known = chats.current.get(id);
    if (known) return known;
    const made = createChat(id, take);
    chats.current.set(id, made);
    return made;
  }, [id, take]);

  return {
    selection,
    leftOut,
    leaveOut,
    viewAlong,
    setViewAlong,
    picked,
    pick: (item) => setPicked((was) => [...was, item]),
    unpick: (at) => setPicked((was) => was.filter((_, index) => index !== at)),
    picking,
    setPicking,
    take,
    chat,
  };
}
