import { useEffect, useState } from "react";

/** A page that cannot be opened is not waited for any longer; nor is a browser that always has something to do. */
const PATIENCE_MS = { unusable: 3000, busy: 1000 };

/** Whether the page can be used and has been drawn, or was waited for in vain: what may be fetched after it is fetched now. */
export function useSettled(usable: boolean): boolean {
  const [settled, setSettled] = useState(false);
  useEffect(() => {
    if (settled) return;
    const settle = () => setSettled(true);
    if (usable && "requestIdleCallback" in globalThis) {
      const idle = requestIdleCallback(settle, { timeout: PATIENCE_MS.busy });
      return () => cancelIdleCallback(idle);
    }
    // Not every browser says when it is idle.
    const timer = setTimeout(settle, usable ? 300 : PATIENCE_MS.unusable);
    return () => clearTimeout(timer);
  }, [usable, settled]);
  return settled;
}
