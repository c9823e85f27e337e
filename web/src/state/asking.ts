import type { Chat } from "@ai-sdk/react";
import { askContext } from "../chat/context";
import type { AskContext, ContextItem, createChat } from "../chat/createChat";
import type { FairyMessage } from "../chat/message";
import { handleOf, pageOf } from "./select";
import type { Get, SetState, StudioStore } from "./store";

/** What a person has in hand when they say something to a fairy, and where they say it. */
export interface Asking {
  /** The shapes selected on the page. */
  selection: string[];
  /** The selection that was taken out of the next words. */
  leftOut: readonly string[];
  viewAlong: boolean;
  picked: readonly ContextItem[];
  /** Whether the person is pointing at a place now. */
  picking: boolean;
  leaveOut(ids: readonly string[]): void;
  setViewAlong(along: boolean): void;
  pick(item: ContextItem): void;
  unpick(at: number): void;
  setPicking(picking: boolean): void;
  /** What goes along with words said now. What was picked goes along once: the next words may be about something else. */
  take(): AskContext;
  /** The conversation with a fairy, made by the first who asks. It goes on while one looks at another. */
  chatWith(fairy: string, make: typeof createChat): Chat<FairyMessage>;
}

export function asking(set: SetState, get: Get): Asking {
  const chats = new Map<string, Chat<FairyMessage>>();
  return {
    selection: [],
    leftOut: [],
    viewAlong: true,
    picked: [],
    picking: false,
    leaveOut: (leftOut) => set({ leftOut }),
    setViewAlong: (viewAlong) => set({ viewAlong }),
    pick: (item) => set((was) => ({ picked: [...was.picked, item], picking: false })),
    unpick: (at) => set((was) => ({ picked: was.picked.filter((_, index) => index !== at) })),
    setPicking: (picking) => set({ picking }),
    take: () => {
      const { selection, leftOut, viewAlong, picked } = get();
      const context = askContext({ page: pageOf(get())?.id, handle: handleOf(get()), selection, leftOut, viewAlong, picked });
      set({ picked: [] });
      return context();
    },
    chatWith: (fairy, make) => {
      const chat = chats.get(fairy) ?? make(fairy, () => get().take());
      chats.set(fairy, chat);
      return chat;
    },
  };
}

/** Keeps the selection as the canvas on screen has it. */
export function followSelection(store: StudioStore): () => void {
  let end: (() => void) | undefined;
  let watched: ReturnType<typeof handleOf> = null;
  const watch = () => {
    const handle = handleOf(store.getState());
    if (handle === watched) return;
    watched = handle;
    end?.();
    store.setState({ selection: handle?.selection() ?? [] });
    end = handle?.onSelection((selection) => store.setState({ selection, leftOut: [] }));
  };
  watch();
  const off = store.subscribe(watch);
  return () => {
    off();
    end?.();
  };
}
