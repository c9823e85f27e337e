import { EphemeralStore, type Value } from "loro-crdt";
import { Emitter } from "./emitter";
import { readPresence } from "./readPresence";
import type { Identity, Presence, Unsubscribe } from "./types";

const TIMEOUT_MS = 30_000;
const HEARTBEAT_MS = 10_000;
const THROTTLE_MS = 50;
/** Ten fairies at work say more than a screen can show: whoever listens hears of all of it this often. */
const TELL_MS = 30;

/** This session's presence, said at most every 50 ms and at least every 10 s, and everybody else's. */
export class PresenceChannel {
  readonly store = new EphemeralStore<Record<string, Value>>(TIMEOUT_MS);
  private mine: Presence;
  private throttle: ReturnType<typeof setTimeout> | undefined;
  private telling: ReturnType<typeof setTimeout> | undefined;
  private readonly heartbeat: ReturnType<typeof setInterval>;
  private readonly changes = new Emitter<Map<string, Presence>>();

  constructor(
    identity: Identity,
    private peer: string,
    private readonly say: (bytes: Uint8Array) => void,
  ) {
    this.mine = {
      subject: identity.subject,
      name: identity.name,
      kind: "person",
      color: identity.color,
      cursor: null,
      selection: [],
      viewport: null,
      activity: "idle",
    };
    this.store.subscribe(({ by, added, removed }) => {
      // Where this session's own cursor and view are is news to others alone, and changes with every step of a pan.
      if (by === "local" && added.length + removed.length === 0) return;
      this.telling ??= setTimeout(() => {
        this.telling = undefined;
        this.changes.emit(this.all());
      }, TELL_MS);
    });
    this.heartbeat = setInterval(() => this.publish(), HEARTBEAT_MS);
    this.publish();
  }

  /** Joined, or joined again: everybody hears our one key, never what we know of others. */
  joined(): void {
    this.publish();
  }

  apply(bytes: Uint8Array): void {
    try {
      this.store.apply(bytes);
    } catch (error) {
      console.warn("glade: somebody's presence could not be read", error);
    }
  }

  set(partial: Partial<Presence>): void {
    this.mine = { ...this.mine, ...partial };
    this.throttle ??= setTimeout(() => this.publish(), THROTTLE_MS);
  }

  /** After a refusal the session goes on under another peer id. */
  rename(peer: string): void {
    this.remove();
    this.peer = peer;
    this.publish();
  }

  /** Everybody whose presence can be read. */
  all(): Map<string, Presence> {
    const said = Object.entries(this.store.getAllStates());
    const read = said.map(([key, value]) => [key, readPresence(value)] as const);
    return new Map(read.filter((entry): entry is [string, Presence] => entry[1] !== undefined));
  }

  onChange(cb: (all: Map<string, Presence>) => void): Unsubscribe {
    cb(this.all());
    return this.changes.on(cb);
  }

  leave(): void {
    clearInterval(this.heartbeat);
    clearTimeout(this.throttle);
    this.remove();
    clearTimeout(this.telling);
    this.changes.clear();
    this.store.destroy();
  }

  private remove(): void {
    this.store.delete(this.peer);
    this.say(this.store.encode(this.peer));
  }

  private publish(): void {
    clearTimeout(this.throttle);
    this.throttle = undefined;
    this.store.set(this.peer, this.mine as unknown as Value);
    this.say(this.store.encode(this.peer));
  }
}
