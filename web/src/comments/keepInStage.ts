const EDGE = 8;

/** Moves a box that lies beyond the edge of the page back over it: beside the page there are panels, which would cover it. */
export function keepInStage(box: HTMLElement | null): void {
  const stage = box?.closest(".stage")?.getBoundingClientRect();
  if (!box || !stage) return;
  box.style.translate = "";
  const { left, right, top, bottom } = box.getBoundingClientRect();
  const x = Math.max(stage.left + EDGE - left, Math.min(0, stage.right - EDGE - right));
  const y = Math.max(stage.top + EDGE - top, Math.min(0, stage.bottom - EDGE - bottom));
  box.style.translate = `${x}px ${y}px`;
}
