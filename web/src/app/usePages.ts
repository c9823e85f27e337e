import { useCallback, useEffect, useRef, useState } from "react";
import { api } from "../api/client";
import type { Page, Workspace } from "../api/types";
import { orderedPages, pageToOpen } from "../api/workspace";
import type { CanvasHandle } from "../canvas";
import { strings } from "../strings";
import { positionAt } from "./pageOrder";
import type { PageActions } from "./PageTools";
import { readFragment } from "./session";
import type { Toast } from "./Toast";

export interface Pages {
  page: Page | undefined;
  /** The canvas of the page on screen, once it can be used. */
  handle: CanvasHandle | null;
  onReady(page: string, handle: CanvasHandle): void;
  go(page: string): void;
  make(name: string, kind: "canvas" | "text"): Promise<void>;
  /** Does something on a page, which opens first if it is another. */
  on(page: string, act: (handle: CanvasHandle) => void): void;
  actions: PageActions;
}

/** Which page is on screen, the way to others, and what people do with pages. The address tells it too. */
export function usePages(workspace: Workspace, onToast: (toast: Toast) => void): Pages {
  const [wanted, setWanted] = useState(() => readFragment(location.hash).page);
  const page = pageToOpen(workspace, wanted);
  const pageId = page?.id;
  const [ready, setReady] = useState<{ page: string; handle: CanvasHandle } | null>(null);
  // The canvas of the page that was left is of no use to the one that opens.
  const handle = ready && ready.page === pageId ? ready.handle : null;

  useEffect(() => {
    document.title = page ? strings.title(page.name || strings.page.untitled) : strings.product;
  }, [page]);

  useEffect(() => {
    const onHash = () => setWanted(readFragment(location.hash).page);
    addEventListener("hashchange", onHash);
    return () => removeEventListener("hashchange", onHash);
  }, []);

  const go = useCallback((id: string) => {
    history.pushState(history.state, "", `#page=${encodeURIComponent(id)}`);
    setWanted(id);
  }, []);

  // A page just made is opened when the workspace has heard of it.
  const [made, setMade] = useState<string | null>(null);
  const arrived = made !== null && workspace.pages.some(({ id }) => id === made);
  useEffect(() => {
    if (!made || !arrived) return;
    setMade(null);
    go(made);
  }, [made, arrived, go]);

  // What to do on a page that has yet to open.
  const later = useRef<{ page: string; act(handle: CanvasHandle): void } | null>(null);
  const on = useCallback(
    (where: string, act: (handle: CanvasHandle) => void) => {
      if (where === pageId && handle) return act(handle);
      later.current = { page: where, act };
      if (where !== pageId) go(where);
    },
    [pageId, handle, go],
  );
  useEffect(() => {
    if (!handle || !later.current) return;
    const { page: where, act } = later.current;
    later.current = null;
    if (where === pageId) act(handle);
  }, [handle, pageId]);

  const actions: PageActions = {
    onChange: async (which, change) => void (await api.changePage(which.id, change)),
    onMove: async (which, to) => {
      const position = positionAt(orderedPages(workspace), which.id, to);
      if (position !== null) await api.changePage(which.id, { position });
    },
    onDuplicate: async (which) => setMade((await api.duplicatePage(which.id)).id),
    onDelete: async (which) => {
      await api.deletePage(which.id);
      const back = () => {
        api.restorePage(which.id).then(
          () => setMade(which.id),
          (error: Error) => onToast({ tone: "bad", text: error.message }),
        );
      };
      const text = strings.page.deleted(which.name || strings.page.untitled);
      onToast({ tone: "calm", text, action: { label: strings.page.undelete, run: back } });
    },
  };

  return {
    page,
    handle,
    onReady: (page, handle) => setReady({ page, handle }),
    go,
    make: async (name, kind) => setMade((await api.makePage(workspace.id, name, kind)).id),
    on,
    actions,
  };
}
