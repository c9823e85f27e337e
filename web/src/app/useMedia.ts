import { useCallback, useSyncExternalStore } from "react";

/** One for each query: asking for it anew costs more than everything else that a render does here. */
const known = new Map<string, MediaQueryList>();

function mediaOf(query: string): MediaQueryList {
  const media = known.get(query) ?? matchMedia(query);
  known.set(query, media);
  return media;
}

/** Whether a media query holds now, and again whenever that changes. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (changed: () => void) => {
      const media = mediaOf(query);
      media.addEventListener("change", changed);
      return () => media.removeEventListener("change", changed);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => mediaOf(query).matches);
}

export const useDark = () => useMedia("(prefers-color-scheme: dark)");
export const useReducedMotion = () => useMedia("(prefers-reduced-motion: reduce)");
export const usePhone = () => useMedia("(max-width: 760px)");
