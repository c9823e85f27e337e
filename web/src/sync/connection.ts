import { tryDecode, type ProtocolMessage } from "loro-protocol";

/** The part of a WebSocket that we use; tests give their own. */
export interface SocketLike {
  binaryType: string;
  readonly readyState: number;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
  send(data: Uint8Array<ArrayBuffer> | string): void;
  close(): void;
}

export type MakeSocket = (url: string) => SocketLike;

export interface ConnectionHandlers {
  onOpen(): void;
  onMessage(message: ProtocolMessage): void;
  /** Something that the server says beside the protocol, as JSON. */
  onWords(words: unknown): void;
  onDown(): void;
}

const OPEN = 1;
const PING_MS = 20_000;
const PONG_MS = 10_000;
const FIRST_RETRY_MS = 400;
const LAST_RETRY_MS = 15_000;

/** One WebSocket that keeps coming back: backoff with jitter, pings, and the browser's word about being online. */
export class Connection {
  private socket: SocketLike | undefined;
  private retries = 0;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;
  private pingTimer: ReturnType<typeof setTimeout> | undefined;
  private stopped = false;

  constructor(
    private readonly url: string,
    private readonly handlers: ConnectionHandlers,
    private readonly makeSocket: MakeSocket = (at) => new WebSocket(at) as unknown as SocketLike,
  ) {}

  start(): void {
    globalThis.addEventListener?.("online", this.goOnline);
    globalThis.addEventListener?.("offline", this.goOffline);
    this.open();
  }

  stop(): void {
    this.stopped = true;
    globalThis.removeEventListener?.("online", this.goOnline);
    globalThis.removeEventListener?.("offline", this.goOffline);
    clearTimeout(this.retryTimer);
    this.drop();
  }

  get isOpen(): boolean {
    return this.socket?.readyState === OPEN;
  }

  send(bytes: Uint8Array): boolean {
    if (!this.socket || this.socket.readyState !== OPEN) {
      return false;
    }
    this.socket.send(bytes as Uint8Array<ArrayBuffer>);
    return true;
  }

  /** Hangs up and calls again: at once, or after a while. */
  restart(afterMs = 0): void {
    if (this.stopped) {
      return;
    }
    const wasUp = this.socket !== undefined;
    this.drop();
    if (wasUp) {
      this.handlers.onDown();
    }
    this.retryIn(afterMs);
  }

  /** The server accepted us: the next loss starts with a short wait again. */
  settled(): void {
    this.retries = 0;
  }

  private open(): void {
    if (this.stopped || this.socket) {
      return;
    }
    const socket = this.makeSocket(this.url);
    this.socket = socket;
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      if (this.socket === socket) {
        this.schedulePing();
        this.handlers.onOpen();
      }
    };
    socket.onmessage = (event) => {
      if (this.socket === socket) {
        this.receive(event.data);
      }
    };
    socket.onclose = () => {
      if (this.socket === socket) {
        this.lost();
      }
    };
    socket.onerror = () => {};
  }

  private receive(data: unknown): void {
    if (typeof data === "string") {
      if (data === "ping") {
        this.socket?.send("pong");
      } else if (data.startsWith("{")) {
        this.handlers.onWords(parsed(data));
      }
      this.schedulePing();
      return;
    }
    this.schedulePing();
    const message = tryDecode(new Uint8Array(data as ArrayBuffer));
    if (message) {
      this.handlers.onMessage(message);
    }
  }

  private lost(): void {
    this.drop();
    this.handlers.onDown();
    const wait = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.retries++);
    this.retryIn(wait * (0.5 + Math.random() / 2));
  }

  private drop(): void {
    clearTimeout(this.pingTimer);
    const socket = this.socket;
    this.socket = undefined;
    socket?.close();
  }

  private retryIn(ms: number): void {
    clearTimeout(this.retryTimer);
    this.retryTimer = setTimeout(() => this.open(), ms);
  }

  private schedulePing(): void {
    clearTimeout(this.pingTimer);
    this.pingTimer = setTimeout(() => {
      if (this.isOpen) {
        this.socket?.send("ping");
        this.pingTimer = setTimeout(() => this.lost(), PONG_MS);
      }
    }, PING_MS);
  }

  private readonly goOnline = () => {
    this.retries = 0;
    if (!this.isOpen) {
      this.drop();
      this.retryIn(0);
    }
  };

  private readonly goOffline = () => {
    if (this.socket) {
      this.lost();
    }
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
