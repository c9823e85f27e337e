import { useCallback, useSyncExternalStore } from "react";

/** Whether a media query holds now, and again whenever that changes. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (changed: () => void) => {
      const media = matchMedia(query);
      media.addEventListener("change", changed);
      return () => media.removeEventListener("change", changed);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}

export const useDark = () => useMedia("(prefers-color-scheme: dark)");
export const useReducedMotion = () => useMedia("(prefers-reduced-motion: reduce)");
export const usePhone = () => useMedia("(max-width: 760px)");
