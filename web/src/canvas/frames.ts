/** Runs `work` once in the next animation frame, however often it is asked for; soon enough in a hidden tab too. */
export function perFrame(work: () => void): { ask(): void; cancel(): void } {
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const cancel = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    frame = 0;
    timer = undefined;
  };
  const run = () => {
    cancel();
    work();
  };
  return {
    ask() {
      if (timer === undefined) {
        frame = requestAnimationFrame(run);
        timer = setTimeout(run, 250);
      }
    },
    cancel,
  };
}
