/**
 * Who a tab works as. All tabs of a browser share one cookie: when one of them signs in as somebody else, the requests
 * of the others would be that person's. So a tab remembers whose it is, and sends nothing once that has changed.
 */
export interface SignIn {
  /** The server's id of the session: another for every time that somebody signs in. */
  session: string;
  subject: string;
  name: string;
}

/** Where tabs tell each other; the value is who signed in last. */
const KEY = "glade.signed-in";

/** What a tab needs of its browser; tests give their own. */
export interface Noticeboard {
  read(): string | null;
  write(value: string): void;
  /** Calls back when another tab has written. */
  listen(heard: () => void): void;
}

export class SignInWatch {
  #own: SignIn | null = null;
  #other: SignIn | null = null;
  readonly #listeners = new Set<() => void>();

  constructor(private readonly board: Noticeboard) {
    board.listen(() => this.#look());
  }

  get own(): SignIn | null {
    return this.#own;
  }

  /** Who is signed in instead of whom this tab works as. */
  readonly other = (): SignIn | null => this.#other;

  /** Looks again before something is sent: the browser may not have told us yet. */
  check(): SignIn | null {
    this.#look();
    return this.#other;
  }

  /** This tab works as this person from now on; the other tabs hear of it. */
  begin(who: SignIn): void {
    this.#own = who;
    this.#other = null;
    this.board.write(JSON.stringify(who));
  }

  /** The server's word on who is signed in. Answers whether that is still whom this tab works as. */
  saw(who: SignIn): boolean {
    const same = this.#own === null || this.#own.session === who.session;
    if (same && this.#other) this.board.write(JSON.stringify(this.#own));
    this.#become(same ? null : who);
    return same;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #look(): void {
    const said = parse(this.board.read());
    if (this.#own && said && said.session !== this.#own.session && !this.#other) this.#become(said);
  }

  #become(other: SignIn | null): void {
    if (this.#other?.session === other?.session) return;
    this.#other = other;
    this.#listeners.forEach((listener) => listener());
  }
}

function parse(text: string | null): SignIn | null {
  try {
    const value = JSON.parse(text ?? "null") as Partial<SignIn> | null;
    const { session, subject, name } = value ?? {};
    return typeof session === "string" && typeof subject === "string" && typeof name === "string" ? { session, subject, name } : null;
  } catch {
    return null;
  }
}

/** Some private windows have no storage: then only the server's word is heard. */
function browserBoard(): Noticeboard {
  const quietly = <T>(work: () => T): T | null => {
    try {
      return work();
    } catch {
      return null;
    }
  };
  return {
    read: () => quietly(() => localStorage.getItem(KEY)),
    write: (value) => void quietly(() => localStorage.setItem(KEY, value)),
    listen: (heard) => globalThis.addEventListener?.("storage", (event) => (event as StorageEvent).key === KEY && heard()),
  };
}

export const signIn = new SignInWatch(browserBoard());
