import { api } from "../api/client";
import type { Fairy } from "../api/types";
import { fairyPresenceNow } from "../app/usePresence";
import type { FairyCommand } from "../fairies/FairyMenu";
import { appearance } from "../fairies/roster";
import { strings } from "../strings";
import type { Point } from "../sync";
import { handleOf, pageOf } from "./select";
import type { Get, SetState } from "./store";

/** What is open about a fairy. */
export type FairyWindow =
  | { kind: "menu"; fairy: string; at: Point }
  | { kind: "settings"; fairy: string /** Just made: without being saved it goes again. */; fresh?: Fairy }
  | { kind: "debug" | "dismiss"; fairy: string };

/** What people do with fairies themselves, from wherever they ask for it. */
export interface FairyHand {
  /** Fairies chosen on the canvas, in the order in which they were: the first one leads. */
  chosen: readonly string[];
  fairyWindow: FairyWindow | null;
  followed: string | null;
  choose(fairies: readonly string[]): void;
  /** One alone, or one more or less. */
  chooseFairy(fairy: string, also: boolean): void;
  fairyMenu(fairy: string, at: Point): void;
  showFairyWindow(window: FairyWindow | null): void;
  follow(fairy: string | null): void;
  doWith(fairy: Fairy, command: FairyCommand): void;
  /** Puts a fairy somewhere on this page. */
  put(fairy: string, to: Point): Promise<void>;
  find(fairy: Fairy): void;
  stop(fairy: string): void;
  newFairy(): Promise<void>;
}

export function fairies(set: SetState, get: Get): FairyHand {
  const known = (id: string) => get().workspace.fairies.find((fairy) => fairy.id === id);
  return {
    chosen: [],
    fairyWindow: null,
    followed: null,
    // A selection being drawn says the same again and again.
    choose: (chosen) => {
      if (get().chosen.join() !== chosen.join()) set({ chosen });
    },
    chooseFairy: (id, also) => {
      const { chosen, choose, pickFairy } = get();
      choose(!also ? [id] : chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
      if (!also) pickFairy(id);
    },
    fairyMenu: (fairy, at) => set({ fairyWindow: { kind: "menu", fairy, at } }),
    showFairyWindow: (fairyWindow) => set({ fairyWindow }),
    follow: (id) => {
      const fairy = id === null ? undefined : known(id);
      // Not `find`: its glide through the page would be taken for the person moving on.
      if (fairy && fairy.page !== pageOf(get())?.id) get().go(fairy.page);
      set({ followed: fairy?.id ?? null });
    },
    doWith: (fairy, command) => {
      const { fail, say } = get();
      switch (command) {
        case "find":
          return get().find(fairy);
        case "follow":
          return get().follow(fairy.id);
        case "unfollow":
          return get().follow(null);
        case "summon": {
          const view = handleOf(get())?.viewport();
          if (view)
            get()
              .put(fairy.id, { x: view.x + view.w / 2, y: view.y + view.h / 2 })
              .catch(() => {});
          return;
        }
        case "sleep":
          return void api.sleep(fairy.id).catch(fail);
        case "wake":
          return void api.wake(fairy.id).catch(fail);
        case "reset":
          return void api.reset(fairy.id).then(() => say({ tone: "calm", text: strings.fairy.resetDone(fairy.name) }), fail);
        case "configure":
          return set({ fairyWindow: { kind: "settings", fairy: fairy.id } });
        case "dismiss":
        case "debug":
          return set({ fairyWindow: { kind: command, fairy: fairy.id } });
      }
    },
    put: async (fairy, to) => {
      const page = pageOf(get())?.id;
      if (!page) return;
      try {
        await api.summon(fairy, page, to);
      } catch (error) {
        get().fail(error);
        throw error;
      }
    },
    find: (fairy) => {
      const { position } = appearance(fairy, fairyPresenceNow(get().open?.session ?? null, fairy.id));
      get().on(fairy.page, (handle) => handle.scrollTo({ x: position.x - 300, y: position.y - 225, w: 600, h: 450 }));
    },
    stop: (id) => void api.stop(id).catch(get().fail),
    newFairy: async () => {
      const page = pageOf(get())?.id;
      try {
        const made = await api.makeFairy(get().workspace.id, page ? { page } : {});
        set({ fairyWindow: { kind: "settings", fairy: made.id, fresh: made } });
      } catch (error) {
        get().fail(error);
      }
    },
  };
}
