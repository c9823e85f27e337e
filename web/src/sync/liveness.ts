/**
 * Which tabs are alive: a tab's unsent changes may be sent by another one only once it is gone, because two tabs
 * sending one peer's operations would look like two authors under one name.
 */
export interface Liveness {
  /** Says that this tab speaks for `name`, until `release`. */
  claim(name: string): void;
  /** Whether `name` belonged to a tab that is gone; then it is claimed by this one. */
  adopt(name: string): Promise<boolean>;
  release(): void;
}

export function tabLiveness(): Liveness {
  if (typeof navigator !== "undefined" && navigator.locks) {
    return new LockLiveness(navigator.locks);
  }
  if (typeof BroadcastChannel !== "undefined") {
    return new RollCallLiveness();
  }
  return { claim: () => {}, adopt: async () => false, release: () => {} };
}

class LockLiveness implements Liveness {
  private free: () => void = () => {};
  private readonly held = new Promise<void>((resolve) => (this.free = resolve));

  constructor(private readonly locks: LockManager) {}

  claim(name: string): void {
    void this.locks.request(name, () => this.held);
  }

  adopt(name: string): Promise<boolean> {
    return new Promise((resolve) => {
      void this.locks.request(name, { ifAvailable: true }, (lock) => {
        resolve(lock !== null);
        return lock ? this.held : undefined;
      });
    });
  }

  release(): void {
    this.free();
  }
}

/** Web Locks exist only in secure contexts; over plain http to another machine, ask the other tabs instead. */
class RollCallLiveness implements Liveness {
  private readonly names = new Set<string>();
  private readonly channel = new BroadcastChannel("glade:tabs");
  private readonly answers = new Map<string, () => void>();

  constructor(private readonly patience = 400) {
    this.channel.onmessage = (event: MessageEvent<{ who?: string; here?: string }>) => {
      if (event.data.who && this.names.has(event.data.who)) {
        this.channel.postMessage({ here: event.data.who });
      }
      if (event.data.here) {
        this.answers.get(event.data.here)?.();
      }
    };
  }

  claim(name: string): void {
    this.names.add(name);
  }

  adopt(name: string): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.answers.delete(name);
        this.names.add(name);
        resolve(true);
      }, this.patience);
      this.answers.set(name, () => {
        clearTimeout(timer);
        this.answers.delete(name);
        resolve(false);
      });
      this.channel.postMessage({ who: name });
    });
  }

  release(): void {
    this.names.clear();
    this.channel.close();
  }
}
