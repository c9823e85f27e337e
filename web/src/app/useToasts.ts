import { useCallback, useEffect, useState } from "react";
import { onOtherPage, withToast, type ShownToast, type Toast } from "./Toast";

export interface Toasts {
  shown: readonly ShownToast[];
  say(toast: Toast): void;
  /** Something went wrong. */
  problem(text: string): void;
  dismiss(id: number): void;
  /** Another page is on screen. */
  turnPage(page: string | undefined): void;
}

/** News over the page, each for a while. */
export function useToasts(): Toasts {
  const [shown, setShown] = useState<readonly ShownToast[]>([]);
  const [page, turnPage] = useState<string>();
  useEffect(() => setShown(onOtherPage), [page]);
  const say = useCallback((toast: Toast) => setShown((was) => withToast(was, toast)), []);
  const problem = useCallback((text: string) => say({ tone: "bad", text }), [say]);
  const dismiss = useCallback((id: number) => setShown((was) => was.filter((one) => one.id !== id)), []);
  return { shown, say, problem, dismiss, turnPage };
}
