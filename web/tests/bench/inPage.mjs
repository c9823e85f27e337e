// What is measured inside a page. These functions are handed to the browser whole.

/** Pans the canvas by one wheel event a frame, there and back, and gives the time of each frame in milliseconds. */
export async function pan({ ms, step }) {
  const canvas = document.querySelector("canvas.interactive");
  const { left, top, width, height } = canvas.getBoundingClientRect();
  const at = { clientX: left + width / 2, clientY: top + height / 2, bubbles: true, cancelable: true };
  const nextFrame = () => new Promise((frame) => requestAnimationFrame(frame));
  const frames = [];
  const began = await nextFrame();
  let last = began;
  for (let count = 0; last - began < ms; count++) {
    const sign = Math.floor(count / 30) % 2 === 0 ? 1 : -1;
    canvas.dispatchEvent(new WheelEvent("wheel", { ...at, deltaX: sign * step, deltaY: (sign * step) / 2 }));
    const now = await nextFrame();
    frames.push(now - last);
    last = now;
  }
  return frames;
}

/** Shows the page at 100 % from its top left corner, or all of it. */
export function look({ zoom }) {
  const api = window.__glade?.handle.api ?? window.bench.api;
  if (zoom === "all") api.setViewport({ target: api.getSceneElements(), fit: "scale-down", animation: false });
  else api.updateScene({ appState: { zoom: { value: 1 }, scrollX: -100, scrollY: -100 } });
}

/** Notes, frame by frame, when the pixels of an area of the canvas change. */
export function watch({ x, y, w, h }) {
  const canvas = document.querySelector("canvas.static");
  const scale = canvas.width / canvas.clientWidth;
  const pixels = () => {
    const { data } = canvas.getContext("2d").getImageData(x * scale, y * scale, w * scale, h * scale);
    let hash = 0;
    for (let i = 0; i < data.length; i += 4) hash = (Math.imul(hash, 31) + data[i]) | 0;
    return hash;
  };
  window.changes = [];
  let last = pixels();
  const frame = () => {
    const now = pixels();
    if (now !== last) window.changes.push(performance.timeOrigin + performance.now());
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

/** Waits until the watched pixels have not changed for some time; answers how often they have. */
export async function settled(ms) {
  const quiet = () => performance.timeOrigin + performance.now() - (window.changes.at(-1) ?? 0) >= ms;
  do await new Promise((go) => setTimeout(go, ms));
  while (!quiet());
  return window.changes.length;
}

/** Notes when keys go down. */
export function noteKeys() {
  window.keys = [];
  addEventListener("keydown", (event) => window.keys.push(performance.timeOrigin + event.timeStamp), true);
}
