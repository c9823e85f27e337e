/** A socket whose other end is the simulator's network. */
import type { SocketLike } from "../../src/sync/connection";

export interface Wire {
  send(line: Line, bytes: Uint8Array): void;
  ping(line: Line): void;
  close(line: Line): void;
}

export class Line implements SocketLike {
  binaryType = "";
  readyState = 0;
  onopen: SocketLike["onopen"] = null;
  onmessage: SocketLike["onmessage"] = null;
  onclose: SocketLike["onclose"] = null;
  onerror: SocketLike["onerror"] = null;

  constructor(
    readonly id: number,
    private readonly wire: Wire,
  ) {}

  send(data: Uint8Array | string): void {
    if (this.readyState !== 1) return;
    if (typeof data === "string") this.wire.ping(this);
    else this.wire.send(this, data);
  }

  close(): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.wire.close(this);
  }

  // --- The network's side ---

  accept(): void {
    if (this.readyState !== 0) return;
    this.readyState = 1;
    this.onopen?.(undefined as never);
  }

  deliver(data: Uint8Array | string): void {
    if (this.readyState !== 1) return;
    this.onmessage?.({ data: typeof data === "string" ? data : new Uint8Array(data).buffer });
  }

  hangUp(): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.onclose?.(undefined as never);
  }
}
