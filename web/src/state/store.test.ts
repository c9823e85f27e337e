import { beforeEach, expect, it, vi } from "vitest";
import type { Fairy, Page, Session, Workspace } from "../api/types";
import type { CanvasHandle } from "../canvas";
import { followPages } from "./pages";
import { fairyOf, handleOf, pageOf } from "./select";
import { createStudio } from "./store";

const page = (id: string, position: number) => ({ id, name: id, kind: "canvas", position }) as Page;
const fairy = (id: string, page: string) => ({ id, name: id, page }) as Fairy;
const workspace = {
  id: "main",
  pages: [page("one", 1), page("two", 2)],
  fairies: [fairy("ann", "two"), fairy("bob", "one")],
  runs: [],
  tasks: [],
} as unknown as Workspace;
const handle = { scrollTo: () => {} } as unknown as CanvasHandle;
const studio = () => createStudio({ session: {} as Session, as: { subject: "s", name: "n", session: "1" }, workspace, line: "live" });

beforeEach(() => {
  vi.stubGlobal("location", { hash: "" });
  vi.stubGlobal("history", { state: null, pushState: () => {} });
  vi.stubGlobal("sessionStorage", { getItem: () => null, setItem: () => {} });
  vi.stubGlobal("document", { title: "" });
  vi.stubGlobal("addEventListener", () => {});
  vi.stubGlobal("removeEventListener", () => {});
});

it("talks to who was chosen, else to who is on the page", () => {
  const store = studio();
  expect(fairyOf(store.getState())?.id).toBe("bob");
  store.getState().go("two");
  expect(fairyOf(store.getState())?.id).toBe("ann");
  store.getState().talkTo("bob");
  expect([fairyOf(store.getState())?.id, store.getState().panel, store.getState().focusAsked]).toEqual(["bob", "chat", 1]);
});

it("what was asked before the chat was there is asked once it is, in order and once", () => {
  const { getState } = studio();
  const say = vi.fn();
  getState().ask("a flow");
  getState().ask("a note");
  getState().askWaiting();
  expect(getState().unasked).toEqual(["a flow", "a note"]);
  getState().composer.current = { focus: () => {}, say, fill: () => {} };
  getState().askWaiting();
  getState().askWaiting();
  getState().ask("a table");
  expect(say.mock.calls.flat()).toEqual(["a flow", "a note", "a table"]);
});

it("the canvas of a page that was left is of no use", () => {
  const store = studio();
  store.getState().onReady("one", handle);
  expect(handleOf(store.getState())).toBe(handle);
  store.getState().go("two");
  expect(handleOf(store.getState())).toBeNull();
});

it("what is wanted of another page is done once that has opened, and only once", () => {
  const store = studio();
  const end = followPages(store);
  const act = vi.fn();
  store.getState().on("two", act);
  expect([pageOf(store.getState())?.id, act.mock.calls.length]).toEqual(["two", 0]);
  store.getState().onReady("two", handle);
  store.getState().onReady("two", { ...handle });
  expect(act.mock.calls).toEqual([[handle]]);
  end();
});

it("a page just made opens when the workspace has heard of it; news about the last one goes", () => {
  const store = studio();
  const end = followPages(store);
  store.getState().problem("about this page");
  store.setState({ made: "three" });
  expect(pageOf(store.getState())?.id).toBe("one");
  store.setState({ workspace: { ...workspace, pages: [...workspace.pages, page("three", 3)] } });
  expect([pageOf(store.getState())?.id, store.getState().toasts]).toEqual(["three", []]);
  expect(document.title).toContain("three");
  end();
});

it("fairies are chosen one alone, or one more or less", () => {
  const store = studio();
  const { chooseFairy } = store.getState();
  chooseFairy("ann", false);
  chooseFairy("bob", true);
  expect(store.getState().chosen).toEqual(["ann", "bob"]);
  chooseFairy("ann", true);
  expect([store.getState().chosen, store.getState().fairyId]).toEqual([["bob"], "ann"]);
});

it("what was picked goes along once", () => {
  const store = studio();
  store.getState().pick({ type: "point", point: { x: 1, y: 2 } });
  const first = store.getState().take();
  expect([first.contextItems?.length, store.getState().take().contextItems?.length ?? 0]).toEqual([1, 0]);
});
