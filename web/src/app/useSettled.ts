import { useEffect, useState } from "react";

/** A page that cannot be opened is not waited for any longer. */
const PATIENCE_MS = 3000;

/** Whether the page can be used, or has been waited for in vain: what may be fetched after it is fetched now. */
export function useSettled(usable: boolean): boolean {
  const [settled, setSettled] = useState(usable);
  useEffect(() => {
    if (settled) return;
    if (usable) return setSettled(true);
    const timer = setTimeout(() => setSettled(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [usable, settled]);
  return settled;
}
