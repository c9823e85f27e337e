import { failed } from "../api/failed";
import { onOtherPage, withToast, type ShownToast, type Toast } from "../app/Toast";
import type { Get, SetState } from "./store";

/** What just happened, said over the page. */
export interface News {
  toasts: readonly ShownToast[];
  say(toast: Toast): void;
  /** Something went wrong. */
  problem(text: string): void;
  fail(error: unknown): void;
  dismissToast(id: number): void;
  /** Another page is on screen. */
  turnPage(): void;
}

export function news(set: SetState, get: Get): News {
  return {
    toasts: [],
    say: (toast) => set((was) => ({ toasts: withToast(was.toasts, toast) })),
    problem: (text) => get().say({ tone: "bad", text }),
    fail: (error) => get().problem(failed(error)),
    dismissToast: (id) => set((was) => ({ toasts: was.toasts.filter((one) => one.id !== id) })),
    turnPage: () => set((was) => ({ toasts: onOtherPage(was.toasts) })),
  };
}
