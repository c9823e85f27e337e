import { ApiError, confirmSignIn, eventsUrl } from "./client";
import { setNames } from "./names";
import type { Workspace } from "./types";
import { reduce, type Change } from "./workspace";

/** `live`: events flow. `lost`: they do not, and we are trying again. `denied`: the key no longer opens it. */
export type Line = "opening" | "live" | "lost" | "denied";

export interface WorkspaceState {
  line: Line;
  workspace: Workspace | null;
  /** Of a line that is denied: the code of the refusal. */
  denied?: string;
}

/** Fairies at work change their rows many times a second; people see them this often, and the first change at once. */
const TELL_MS = 100;
const RETRY_MS = [500, 1000, 2000, 4000, 8000] as const;

/**
 * The workspace as the server last told it, shaped for `useSyncExternalStore`.
 * A reconnect starts with a whole snapshot, so nothing missed stays missed.
 */
export class WorkspaceStore {
  #state: WorkspaceState = { line: "opening", workspace: null };
  /** With changes that nobody was told of yet. */
  #newest: Workspace | null = null;
  #telling: ReturnType<typeof setTimeout> | undefined;
  #listeners = new Set<() => void>();
  #source: EventSource | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #epoch = 0;
  readonly #url: string;

  constructor(workspace: string) {
    this.#url = eventsUrl(workspace);
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  state = (): WorkspaceState => this.#state;

  open(): void {
    this.close();
    const source = new EventSource(this.#url, { withCredentials: true });
    this.#source = source;
    source.addEventListener("snapshot", (event: MessageEvent<string>) => {
      this.#failures = 0;
      // Whose eyes this is for the snapshot does not say: the cookie may be another person's since the last one.
      if (this.#state.workspace) confirmSignIn().catch(() => {});
      this.#set({ line: "live", workspace: JSON.parse(event.data) as Workspace });
    });
    source.addEventListener("change", (event: MessageEvent<string>) => {
      if (!this.#newest) return;
      this.#newest = reduce(this.#newest, JSON.parse(event.data) as Change);
      if (this.#telling === undefined) this.#tell();
    });
    source.onerror = () => {
      if (this.#source !== source) return;
      // The browser would retry by itself only after a dropped line, never
      // after a refusal; doing it here treats both the same.
      source.close();
      this.#source = null;
      this.#set({ workspace: this.#newest, line: "lost" });
      void this.#again();
    };
  }

  close(): void {
    this.#epoch++;
    clearTimeout(this.#retry);
    clearTimeout(this.#telling);
    this.#telling = undefined;
    this.#source?.close();
    this.#source = null;
  }

  async #again(): Promise<void> {
    const epoch = this.#epoch;
    const wait = RETRY_MS[Math.min(this.#failures++, RETRY_MS.length - 1)];
    await new Promise((resolve) => {
      this.#retry = setTimeout(resolve, wait);
    });
    try {
      if (!(await confirmSignIn())) return;
    } catch (error) {
      if (this.#epoch !== epoch) return;
      if (error instanceof ApiError && (error.status === 401 || error.status === 403)) {
        this.#set({ ...this.#state, line: "denied", denied: error.code });
        return;
      }
    }
    if (this.#epoch === epoch) this.open();
  }

  /** Now, and again after a while if more has come by then. */
  #tell(): void {
    this.#set({ line: "live", workspace: this.#newest });
    this.#telling = setTimeout(() => {
      this.#telling = undefined;
      if (this.#newest !== this.#state.workspace) this.#tell();
    }, TELL_MS);
  }

  #set(state: WorkspaceState): void {
    this.#state = state;
    this.#newest = state.workspace;
    if (state.workspace) setNames(state.workspace.people);
    for (const listener of this.#listeners) listener();
  }
}
