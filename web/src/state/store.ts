import { createContext, useContext } from "react";
import { createStore, useStore, type StoreApi } from "zustand";
import { useShallow } from "zustand/react/shallow";
import { asking, type Asking } from "./asking";
import type { Facts } from "./facts";
import { fairies, type FairyHand } from "./fairies";
import { news, type News } from "./news";
import { pages, type Pages } from "./pages";
import { runs, type Runs } from "./runs";
import { shell, type Shell } from "./shell";
import { talk, type Talk } from "./talk";
import { tasks, type Tasks } from "./tasks";

/** Everything that the screens share. What only one of them needs is its own. */
export interface StudioState extends Facts, Pages, Shell, News, Asking, Talk, Tasks, Runs, FairyHand {}

export type StudioStore = StoreApi<StudioState>;
export type Get = StudioStore["getState"];
export type SetState = (change: Partial<StudioState> | ((was: StudioState) => Partial<StudioState>)) => void;

export function createStudio(facts: Pick<Facts, "session" | "as" | "workspace" | "line">): StudioStore {
  return createStore<StudioState>((set, get) => ({
    ...facts,
    open: null,
    threads: [],
    ...pages(set, get),
    ...shell(set, get, facts.workspace),
    ...news(set, get),
    ...asking(set, get),
    ...talk(set, get),
    ...tasks(get),
    ...runs(get),
    ...fairies(set, get),
  }));
}

export const StudioContext = createContext<StudioStore | null>(null);

export function useStudioStore(): StudioStore {
  const store = useContext(StudioContext);
  if (!store) throw new Error("outside of the studio");
  return store;
}

/** A part of the shared state. Renders again when that part changes; of a fresh object, when one of its values does. */
export function useStudio<T>(select: (state: StudioState) => T): T {
  return useStore(useStudioStore(), useShallow(select));
}

/** Several parts by their names. */
export function useParts<K extends keyof StudioState>(...names: K[]): Pick<StudioState, K> {
  return useStudio((state) => Object.fromEntries(names.map((name) => [name, state[name]])) as Pick<StudioState, K>);
}
