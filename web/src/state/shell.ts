import { createRef, type RefObject } from "react";
import type { Run, Workspace } from "../api/types";
import type { ComposerHandle } from "../chat/Composer";
import type { RunJump } from "../chat/useJump";
import type { Get, SetState } from "./store";

export type Panel = "chat" | "group" | "fairies" | "tasks" | "comments" | "search" | "code";

/** A window over the studio. */
export type Window = { kind: "share" } | { kind: "settings" } | { kind: "changes"; run: Run };

/** Which parts of the studio are open, and what one looks at in them. */
export interface Shell {
  panel: Panel;
  panelOpen: boolean;
  window: Window | null;
  /** Whom one wants to talk to; another where it is gone. */
  fairyId: string | null;
  /** Counts the times that somebody wanted to write. */
  focusAsked: number;
  composer: RefObject<ComposerHandle | null>;
  /** Words for the fairy that were said before the chat was there, the oldest first. */
  unasked: string[];
  /** The run that someone points at. */
  lookedAt: string | null;
  /** The run that the conversation goes to. */
  jump: RunJump | null;
  /** Whether before and after are shown in the words of a text page. */
  inline: boolean;
  /** Whether tasks are shown on the page. */
  tasksShown: boolean;
  showPanel(panel: Panel): void;
  backToChat(): void;
  togglePanel(): void;
  show(window: Window | null): void;
  pickFairy(fairy: string): void;
  talkTo(fairy: string): void;
  /** Says this in the open chat, or as soon as it is there. */
  ask(text: string): void;
  /** Says what had to wait for the chat. */
  askWaiting(): void;
  goToRun(fairy: string, run: string): void;
  lookAt(run: string | null): void;
  setInline(inline: boolean): void;
  toggleTasks(): void;
}

/** A reload comes back to the code project if one was there. */
const SURFACE = "glade.surface";

export function shell(set: SetState, get: Get, { code }: Pick<Workspace, "code">): Shell {
  const openOn = (panel: Panel) => {
    sessionStorage.setItem(SURFACE, panel === "code" ? "code" : "page");
    set({ panel });
  };
  return {
    panel: code && sessionStorage.getItem(SURFACE) === "code" ? "code" : "chat",
    panelOpen: true,
    window: null,
    fairyId: null,
    focusAsked: 0,
    composer: createRef<ComposerHandle>(),
    unasked: [],
    lookedAt: null,
    jump: null,
    inline: false,
    tasksShown: true,
    showPanel: (panel) => {
      openOn(panel);
      set({ panelOpen: true });
    },
    backToChat: () => openOn("chat"),
    togglePanel: () => set((was) => ({ panelOpen: !was.panelOpen })),
    show: (window) => set({ window }),
    pickFairy: (fairyId) => set({ fairyId }),
    talkTo: (fairyId) => {
      get().showPanel("chat");
      set((was) => ({ fairyId, focusAsked: was.focusAsked + 1 }));
    },
    ask: (text) => {
      const composer = get().composer.current;
      if (composer) composer.say(text);
      else set((was) => ({ unasked: [...was.unasked, text] }));
    },
    askWaiting: () => {
      const { composer, unasked } = get();
      if (!composer.current || unasked.length === 0) return;
      set({ unasked: [] });
      for (const text of unasked) composer.current.say(text);
    },
    goToRun: (fairyId, run) => {
      get().showPanel("chat");
      set((was) => ({ fairyId, jump: { run, count: (was.jump?.count ?? 0) + 1 } }));
    },
    lookAt: (lookedAt) => set({ lookedAt }),
    setInline: (inline) => set({ inline }),
    toggleTasks: () => set((was) => ({ tasksShown: !was.tasksShown })),
  };
}
