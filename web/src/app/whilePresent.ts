/** Long enough to look something up in another tab and come back without a hiccup. */
const GRACE_MS = 5000;

/**
 * Calls `leave` when the tab has been out of sight for a while and `enter`
 * when it is seen again; returns how to stop. Browsers allow six lines to a
 * plain HTTP server for all tabs together: a forgotten tab must not hold one.
 */
export function whilePresent(enter: () => void, leave: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let away = false;
  const look = () => {
    clearTimeout(timer);
    if (document.visibilityState === "hidden") {
      timer = setTimeout(() => {
        away = true;
        leave();
      }, GRACE_MS);
    } else if (away) {
      away = false;
      enter();
    }
  };
  document.addEventListener("visibilitychange", look);
  look();
  return () => {
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", look);
  };
}
