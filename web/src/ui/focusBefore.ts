import { useCallback, useRef } from "react";

/**
 * Gives the focus back to what had it when something opened. Windows and menus here open from many places, a place on the
 * canvas among them, so that no single button is theirs.
 */
export function useFocusBefore(open: boolean): () => void {
  const before = useRef<Element | null>(null);
  const was = useRef(false);
  if (open && !was.current) before.current = document.activeElement;
  was.current = open;
  return useCallback(() => {
    if (before.current instanceof HTMLElement) before.current.focus({ preventScroll: true });
  }, []);
}
