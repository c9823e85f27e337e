import { api } from "../api/client";
import type { Run } from "../api/types";
import { orderedPages } from "../api/workspace";
import { positionAt } from "../app/pageOrder";
import type { PageActions } from "../app/PageTools";
import { readFragment } from "../app/session";
import { shapesOf, showShapes } from "../app/shapes";
import type { CanvasHandle } from "../canvas";
import { strings } from "../strings";
import { handleOf, pageOf } from "./select";
import type { Get, SetState, StudioStore } from "./store";

/** Which page is on screen, the way to others, and what people do with pages. The address tells it too. */
export interface Pages {
  /** The page asked for; another where it is not there. */
  wanted: string | null;
  /** A page just made, opened once the workspace has heard of it. */
  made: string | null;
  /** The canvas that can be used, and of which page it is. */
  ready: { page: string; handle: CanvasHandle } | null;
  /** What to do on a page that has yet to open. */
  later: { page: string; act(handle: CanvasHandle): void } | null;
  go(page: string): void;
  makePage(name: string, kind: "canvas" | "text"): Promise<void>;
  onReady(page: string, handle: CanvasHandle): void;
  /** Does something on a page, which opens first if it is another. */
  on(page: string, act: (handle: CanvasHandle) => void): void;
  /** Brings elements into sight, on the page of the run that made them. */
  showElements(elements: string[]): void;
  showRun(run: Run): void;
  pageActions: PageActions;
}

export function pages(set: SetState, get: Get): Pages {
  return {
    wanted: readFragment(location.hash).page,
    made: null,
    ready: null,
    later: null,
    go: (page) => {
      history.pushState(history.state, "", `#page=${encodeURIComponent(page)}`);
      set({ wanted: page });
    },
    makePage: async (name, kind) => set({ made: (await api.makePage(get().workspace.id, name, kind)).id }),
    onReady: (page, handle) => set({ ready: { page, handle } }),
    on: (where, act) => {
      const handle = handleOf(get());
      const here = pageOf(get())?.id;
      if (where === here && handle) return act(handle);
      set({ later: { page: where, act } });
      if (where !== here) get().go(where);
    },
    showElements: (elements) => {
      const run = get().workspace.runs.find((run) => elements.some((id) => run.elements.includes(id)));
      const where = run?.page ?? pageOf(get())?.id;
      if (where) get().on(where, (handle) => showShapes(handle, elements));
    },
    showRun: (run) => get().on(run.page, (handle) => handle.scrollTo(shapesOf(handle, run.elements))),
    pageActions: {
      onChange: async (which, change) => void (await api.changePage(which.id, change)),
      onMove: async (which, to) => {
        const position = positionAt(orderedPages(get().workspace), which.id, to);
        if (position !== null) await api.changePage(which.id, { position });
      },
      onDuplicate: async (which) => set({ made: (await api.duplicatePage(which.id)).id }),
      onDelete: async (which) => {
        await api.deletePage(which.id);
        const back = () => void api.restorePage(which.id).then(() => set({ made: which.id }), get().fail);
        const text = strings.page.deleted(which.name || strings.page.untitled);
        get().say({ tone: "calm", text, action: { label: strings.page.undelete, run: back } });
      },
    },
  };
}

/** What follows from a page being there, opened or left. */
export function followPages(store: StudioStore): () => void {
  const settle = () => {
    const { made, workspace, go, later } = store.getState();
    if (made !== null && workspace.pages.some(({ id }) => id === made)) {
      store.setState({ made: null });
      return go(made);
    }
    const handle = handleOf(store.getState());
    if (!handle || !later) return;
    store.setState({ later: null });
    if (later.page === pageOf(store.getState())?.id) later.act(handle);
  };
  const title = () => {
    const page = pageOf(store.getState());
    document.title = page ? strings.title(page.name || strings.page.untitled) : strings.product;
  };
  const onHash = () => store.setState({ wanted: readFragment(location.hash).page });
  addEventListener("hashchange", onHash);
  title();
  const off = store.subscribe((now, was) => {
    title();
    if (pageOf(now)?.id !== pageOf(was)?.id) now.turnPage();
    if (now.made !== was.made || now.workspace !== was.workspace || now.ready !== was.ready) settle();
  });
  return () => {
    off();
    removeEventListener("hashchange", onHash);
  };
}
