/**
 * Tells `show` the newest of what it is told, no sooner than `pace` says, in milliseconds, after it last did; what comes
 * in between is left out, the last of it never.
 */
export function atPace<T>(show: (value: T) => void, pace: () => number): { tell(value: T): void; cancel(): void } {
  let shown = -Infinity;
  let newest: { value: T } | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    timer = undefined;
    if (!newest) return;
    const wait = shown + pace() - performance.now();
    if (wait > 0) {
      timer = setTimeout(look, wait);
      return;
    }
    shown = performance.now();
    const { value } = newest;
    newest = null;
    show(value);
  };
  return {
    tell(value) {
      newest = { value };
      // The pace may have quickened since.
      clearTimeout(timer);
      look();
    },
    cancel: () => clearTimeout(timer),
  };
}
