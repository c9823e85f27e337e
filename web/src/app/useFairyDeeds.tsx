import { useCallback, useState, type ReactNode } from "react";
import { api } from "../api/client";
import { failed } from "../api/failed";
import type { Fairy, Page } from "../api/types";
import type { CanvasHandle } from "../canvas";
import { DebugDialog } from "../debug/DebugDialog";
import { FairyMenu, type FairyDeed } from "../fairies/FairyMenu";
import { FairySettings } from "../fairies/FairySettings";
import { Following } from "../fairies/Following";
import { strings } from "../strings";
import type { Point } from "../sync";
import { Confirm } from "../ui/Dialog";
import type { Rights } from "./rights";
import type { Toast } from "./Toast";

interface Deeds {
  fairies: readonly Fairy[];
  pages: readonly Page[];
  page: string | undefined;
  handle: CanvasHandle | null;
  rights: Rights;
  onFind(fairy: Fairy): void;
  /** Opens another page. */
  onPage(page: string): void;
  onToast(toast: Toast): void;
  taskBounds: { shown: boolean; toggle(): void };
}

type Open = { kind: "menu"; fairy: string; at: Point } | { kind: "settings" | "debug" | "dismiss"; fairy: string };

export interface FairyDeeds {
  /** Fairies chosen on the canvas. */
  chosen: string[];
  choose(fairies: string[]): void;
  menu(fairy: string, at: Point): void;
  deed(fairy: Fairy, deed: FairyDeed): void;
  /** Puts a fairy somewhere on this page. */
  put(fairy: string, to: Point): Promise<void>;
  follow(fairy: string): void;
  /** Opens the settings of a fairy that was just made; without being saved it goes again. */
  configure(fairy: Fairy): void;
  /** Menus and windows that are open, and the pill of the one followed. */
  windows: ReactNode;
}

/** What people do with fairies themselves, from wherever they ask for it. */
export function useFairyDeeds({ fairies, pages, page, handle, rights, onFind, onPage, onToast, taskBounds }: Deeds): FairyDeeds {
  const [chosen, setChosen] = useState<string[]>([]);
  // A selection being drawn says the same again and again.
  const choose = useCallback((next: string[]) => setChosen((was) => (was.join() === next.join() ? was : next)), []);
  const [open, setOpen] = useState<Open | null>(null);
  const [fresh, setFresh] = useState<Fairy | undefined>();
  const [followed, setFollowed] = useState<string | null>(null);
  const close = useCallback(() => setOpen(null), []);
  const unfollow = useCallback(() => setFollowed(null), []);
  const known = (id: string | null | undefined) => fairies.find((fairy) => fairy.id === id);

  const followedFairy = known(followed);

  const fail = (error: unknown) => onToast({ tone: "bad", text: failed(error) });

  const put = async (fairy: string, to: Point) => {
    if (!page) return;
    try {
      await api.summon(fairy, page, to);
    } catch (error) {
      fail(error);
      throw error;
    }
  };

  const deed = (fairy: Fairy, what: FairyDeed) => {
    const calm = (text: string) => () => onToast({ tone: "calm", text });
    switch (what) {
      case "find":
        return onFind(fairy);
      case "follow":
        // Not `onFind`: its glide through the page would be taken for the person moving on.
        if (fairy.page !== page) onPage(fairy.page);
        return setFollowed(fairy.id);
      case "unfollow":
        return setFollowed(null);
      case "summon": {
        const view = handle?.viewport();
        if (view) put(fairy.id, { x: view.x + view.w / 2, y: view.y + view.h / 2 }).catch(() => {});
        return;
      }
      case "sleep":
        return void api.sleep(fairy.id).catch(fail);
      case "wake":
        return void api.wake(fairy.id).catch(fail);
      case "reset":
        return void api.reset(fairy.id).then(calm(strings.fairy.resetDone(fairy.name)), fail);
      case "configure":
        return setOpen({ kind: "settings", fairy: fairy.id });
      case "dismiss":
        return setOpen({ kind: "dismiss", fairy: fairy.id });
      case "debug":
        return setOpen({ kind: "debug", fairy: fairy.id });
    }
  };

  const dismiss = (fairy: Fairy) =>
    api.dismiss(fairy.id).then(() => onToast({ tone: "calm", text: strings.fairy.dismissed(fairy.name) }), fail);

  const saved = () => {
    setFresh(undefined);
    close();
  };

  // Whoever does not want the fairy that they were about to make has none, unless somebody has found it work meanwhile.
  const cancel = () => {
    close();
    if (!fresh || fresh.id !== open?.fairy) return;
    setFresh(undefined);
    if ((known(fresh.id) ?? fresh).mode === "idling") api.dismiss(fresh.id).catch(fail);
  };

  // A fairy just made may be known here before the workspace has heard of it.
  const shown = known(open?.fairy) ?? (fresh?.id === open?.fairy ? fresh : undefined);
  const deeds = (fairy: Fairy): FairyDeed[] => [
    "find",
    ...(rights.ask ? (["summon"] as const) : []),
    fairy.id === followed ? "unfollow" : "follow",
    ...(rights.ask ? [fairy.mode === "sleeping" ? ("wake" as const) : ("sleep" as const)] : []),
    ...(rights.manageFairies ? (["configure"] as const) : []),
    ...(rights.inspectFairies ? (["debug"] as const) : []),
    ...(rights.manageFairies ? (["reset", "dismiss"] as const) : []),
  ];

  const windows = (
    <>
      {followedFairy && <Following fairy={followedFairy} handle={followedFairy.page === page ? handle : null} onEnd={unfollow} />}
      <FairyMenu
        name={shown?.name ?? ""}
        at={open?.kind === "menu" && shown ? open.at : null}
        deeds={shown ? deeds(shown) : []}
        onDo={(what) => shown && deed(shown, what)}
        onClose={close}
      />
      {open?.kind === "settings" && shown && (
        <FairySettings fairy={shown} pages={pages} view={handle?.viewport() ?? null} onSaved={saved} onCancel={cancel} />
      )}
      {open?.kind === "debug" && shown && (
        <DebugDialog fairy={shown} bounds={taskBounds.shown} onBounds={taskBounds.toggle} onClose={close} />
      )}
      {open?.kind === "dismiss" && shown && (
        <Confirm
          title={strings.fairy.deeds.dismiss.replace("…", "")}
          text={strings.fairy.dismissAsk(shown.name)}
          label={strings.fairy.dismissDo}
          onYes={() => void dismiss(shown)}
          onClose={close}
        />
      )}
    </>
  );

  return {
    chosen: chosen.filter((id) => known(id)),
    choose,
    menu: (fairy, at) => setOpen({ kind: "menu", fairy, at }),
    deed,
    put,
    follow: (id) => {
      const fairy = known(id);
      if (fairy) deed(fairy, "follow");
    },
    configure: (fairy) => {
      setFresh(fairy);
      setOpen({ kind: "settings", fairy: fairy.id });
    },
    windows,
  };
}
