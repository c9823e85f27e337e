import type { MakeSocket } from "./connection";
import type { Liveness } from "./liveness";
import type { OutboxStorage } from "./storage";
import type { Identity } from "./types";

export interface PageSessionOptions {
  pageId: string;
  /** `ws://` or `wss://` address of `/sync`. */
  url: string;
  identity: Identity;
  /**
   * Asked on every new line before anything is said on it: whether this browser is still signed in as `identity`.
   * The line carries the cookie of the moment at which it was opened.
   */
  confirm?(): Promise<boolean>;
  /** Left out by the studio; tests give their own world. */
  world?: { makeSocket?: MakeSocket; storage?: OutboxStorage; liveness?: Liveness };
}
