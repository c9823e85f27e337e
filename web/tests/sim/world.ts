/**
 * Time and chance as the simulator gives them. Imported before anything else: whoever reads the clock, sets a timer or
 * draws a number from here on gets the simulator's, Loro's WebAssembly included.
 */

interface Timer {
  at: number;
  owner: object | undefined;
  every: number | undefined;
  run: () => void;
}

const realImmediate = globalThis.setImmediate;
const timers = new Map<number, Timer>();
let now = 0;
let lastTimer = 0;
/** Whose timers are being set: a tab that is killed takes its timers with it. */
let owner: object | undefined;
let state = 0;

/** Mulberry32: small, and the same everywhere. */
function random(): number {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

export function begin(seed: number, startMs: number): void {
  state = seed;
  now = startMs;
}

/** Runs something as this owner, until nothing that follows from it is left to do but timers. */
export async function as(who: object | undefined, work: () => void): Promise<void> {
  owner = who;
  work();
  // Microtasks are all done before the next macrotask, and nothing here waits for more than microtasks and timers.
  await new Promise<void>((resolve) => realImmediate(resolve));
  owner = undefined;
}

/** Lets time pass, timer by timer. */
export async function passUntil(ms: number): Promise<void> {
  for (;;) {
    const due = [...timers].filter(([, timer]) => timer.at <= ms).sort(([a, x], [b, y]) => x.at - y.at || a - b);
    const [first] = due;
    if (!first) break;
    const [id, timer] = first;
    now = Math.max(now, timer.at);
    if (timer.every === undefined) timers.delete(id);
    else timer.at += timer.every;
    await as(timer.owner, timer.run);
  }
  now = Math.max(now, ms);
}

/** A tab is gone, and with it whatever it meant to do. */
export function forgetTimers(of: object): void {
  for (const [id, timer] of timers) {
    if (timer.owner === of) timers.delete(id);
  }
}

/** A number below `bound`. */
export const below = (bound: number): number => Math.floor(random() * bound);

function set(run: () => void, ms: number | undefined, every: number | undefined): number {
  timers.set(++lastTimer, { at: now + Math.max(0, ms ?? 0), owner, every, run });
  return lastTimer;
}

const clear = (id: number | undefined): void => void (id !== undefined && timers.delete(id));

Object.assign(globalThis, {
  setTimeout: (run: () => void, ms?: number) => set(run, ms, undefined),
  setInterval: (run: () => void, ms: number) => set(run, ms, ms),
  clearTimeout: clear,
  clearInterval: clear,
});
Date.now = () => now;
Math.random = random;
Object.defineProperty(globalThis, "crypto", {
  value: {
    getRandomValues<T extends Uint8Array>(into: T): T {
      for (let at = 0; at < into.length; at++) into[at] = below(256);
      return into;
    },
  },
});
