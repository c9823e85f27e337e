/**
 * Runs `work` once in the next animation frame, however often it is asked for; soon enough in a hidden tab too.
 * `rest` says how long to wait until the next time, in milliseconds, given what the work has cost.
 */
export function perFrame(work: () => void, rest: (cost: number) => number = () => 0): { ask(): void; cancel(): void } {
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let notBefore = 0;
  const cancel = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    frame = 0;
    timer = undefined;
  };
  const run = () => {
    cancel();
    const began = performance.now();
    work();
    const ended = performance.now();
    notBefore = ended + rest(ended - began);
  };
  const inNextFrame = () => {
    frame = requestAnimationFrame(run);
    timer = setTimeout(run, 250);
  };
  return {
    ask() {
      if (timer !== undefined) return;
      const wait = notBefore - performance.now();
      if (wait > 0) timer = setTimeout(inNextFrame, wait);
      else inNextFrame();
    },
    cancel,
  };
}
