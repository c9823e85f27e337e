import { LoroDoc } from "loro-crdt";
import {
  CrdtType,
  JoinErrorCode,
  MessageType,
  RoomErrorCode,
  UpdateStatusCode,
  type Ack,
  type JoinError,
  type JoinResponseOk,
  type ProtocolMessage,
  type RoomError,
} from "loro-protocol";
import { Connection } from "./connection";
import { Emitter } from "./emitter";
import { tabLiveness, type Liveness } from "./liveness";
import type { PageSessionOptions } from "./options";
import { Outbox } from "./outbox";
import { PresenceChannel } from "./presence";
import { moveChanges } from "./recovery";
import { replay } from "./replay";
import { openStorage, type OutboxEntry } from "./storage";
import type { Presence, RefusedCopy, SyncStatus, Unsubscribe } from "./types";
import { covers, decodeVersions, type Versions } from "./versions";
import { Reassembler, joinMessage, leaveMessage, randomBatchId, updateMessages } from "./wire";
import { SIGNED_IN_ANEW, joinErrorMessage, readRefusal, refusalReason, type Refusal } from "./words";

/** Local operations of one burst go out together. */
const GATHER_MS = 16;
/** Servers limit what one update may hold: a large paste goes out as several. */
const MOST_OPERATIONS = 20_000;
const SLOW_DOWN_MS = 2_000;

/** Where the session stands with the server. */
type Phase =
  /** No line; `before`: there was one. */
  | { at: "down"; before: boolean }
  /** Joined; the backfill is over when the document covers what the server had then. */
  | { at: "catching-up"; server: Versions }
  | { at: "joined" }
  | { at: "closed" };

/**
 * One page: its Loro document and the presence on it, over `/sync`.
 *
 * Laws: a local change is persisted before it is sent and forgotten only when the server has it; a refused change is
 * made anew once on the server's state, under a new peer id, and after a second refusal handed to the person as a
 * copy; with read permission nothing is ever sent; changes go out under whom they were made, or not at all. The document object is replaced after a refusal (`onDocReplaced`).
 */
export class PageSession {
  readonly pageId: string;
  private document = new LoroDoc();
  private current: SyncStatus = { state: "connecting", waiting: 0, permission: "read" };
  private readonly channel: PresenceChannel;
  private readonly connection: Connection;
  private readonly confirm: PageSessionOptions["confirm"];
  /** Counts lines: what was asked about one says nothing about the next. */
  private line = 0;
  private readonly reassembler = new Reassembler();
  private readonly liveness: Liveness;
  private readonly outbox: Promise<Outbox>;
  /** The same outbox once it is open; nothing is waiting before that. */
  private box: Outbox | undefined;
  /** All outbox work, one after the other: what is sent keeps the order in which it was made. */
  private work: Promise<unknown> = Promise.resolve();
  private stopListening: Unsubscribe = () => {};
  private gather: ReturnType<typeof setTimeout> | undefined;
  /** Operations of our own peer handed to the outbox so far. */
  private flushed = 0;
  private phase: Phase = { at: "down", before: false };
  private presenceJoined = false;
  /** Why the server refused a batch, in its own words; they come ahead of the acknowledgement. */
  private refusal: Refusal | undefined;
  private recovering: { fresh: LoroDoc; reason: string; counts: boolean } | undefined;
  private adopted = false;
  private becomeReady: () => void = () => {};
  private readonly whenReady = new Promise<void>((resolve) => (this.becomeReady = resolve));
  private readonly statusChanges = new Emitter<SyncStatus>();
  private readonly newDocs = new Emitter<LoroDoc>();
  private readonly copies = new Emitter<RefusedCopy>();

  constructor(opts: PageSessionOptions) {
    this.pageId = opts.pageId;
    this.confirm = opts.confirm;
    this.liveness = opts.world?.liveness ?? tabLiveness();
    this.liveness.claim(this.lockName(this.peer));
    this.connection = new Connection(
      opts.url,
      {
        onOpen: () => this.opened(),
        onMessage: (m) => this.receive(m),
        onWords: (words) => (this.refusal = readRefusal(words) ?? this.refusal),
        onDown: () => this.down(),
      },
      opts.world?.makeSocket,
    );
    this.channel = new PresenceChannel(opts.identity, this.peer, (bytes) => this.sayPresence(bytes));
    const storage = opts.world?.storage ? Promise.resolve(opts.world.storage) : openStorage();
    this.outbox = storage.then((s) => (this.box = new Outbox(s, opts.pageId, opts.identity)));
    this.listen();
    globalThis.addEventListener?.("pagehide", this.flushNow);
    // Nothing is sent before the outbox is open: its order is the order of everything.
    void this.outbox.then(() => this.phase.at !== "closed" && this.connection.start());
  }

  get doc(): LoroDoc {
    return this.document;
  }

  get peer(): string {
    return this.document.peerIdStr;
  }

  /** Everybody on the page, by the key of their session. */
  presences(): Map<string, Presence> {
    return this.channel.all();
  }

  get status(): SyncStatus {
    return this.current;
  }

  /** Resolves when the document holds all that the server had when this session first joined. */
  ready(): Promise<void> {
    return this.whenReady;
  }

  onStatus(cb: (status: SyncStatus) => void): Unsubscribe {
    return this.statusChanges.on(cb);
  }

  /** The document was exchanged for the server's state; subscriptions to the old one are over. */
  onDocReplaced(cb: (doc: LoroDoc) => void): Unsubscribe {
    return this.newDocs.on(cb);
  }

  /** Changes that the server refused twice, for the person to keep. */
  onRefusedCopy(cb: (copy: RefusedCopy) => void): Unsubscribe {
    return this.copies.on(cb);
  }

  onPresence(cb: (all: Map<string, Presence>) => void): Unsubscribe {
    return this.channel.onChange(cb);
  }

  setPresence(partial: Partial<Presence>): void {
    this.channel.set(partial);
  }

  /** Sends what was left behind under this sign-in since the page was opened. */
  sendLeftBehind(): void {
    this.adopted = false;
    if (this.phase.at === "joined" && !this.recovering) this.adoptLeftovers();
  }

  /** The person has read `status.message`. */
  clearMessage(): void {
    this.show({ message: undefined });
  }

  close(): void {
    if (this.phase.at === "closed") {
      return;
    }
    this.flushNow();
    this.end(undefined);
    this.connection.send(leaveMessage(CrdtType.Loro, this.pageId));
    this.connection.send(leaveMessage(CrdtType.LoroEphemeralStore, this.pageId));
    this.connection.stop();
  }

  // --- Joining -------------------------------------------------------------------------------------------------

  private opened(): void {
    const line = ++this.line;
    if (!this.confirm) {
      return this.join();
    }
    this.confirm().then(
      (same) => {
        if (line !== this.line || this.phase.at === "closed") return;
        if (same) this.join();
        else this.end(SIGNED_IN_ANEW);
      },
      () => line === this.line && this.connection.restart(SLOW_DOWN_MS),
    );
  }

  private join(): void {
    const doc = this.recovering?.fresh ?? this.document;
    this.connection.send(joinMessage(CrdtType.Loro, this.pageId, doc.oplogVersion().encode()));
    this.connection.send(joinMessage(CrdtType.LoroEphemeralStore, this.pageId, new Uint8Array()));
  }

  private down(): void {
    this.line++;
    if (this.phase.at !== "closed") this.phase = { at: "down", before: true };
    this.presenceJoined = false;
    this.reassembler.clear();
    this.box?.disconnected();
    this.show({});
  }

  private receive(message: ProtocolMessage): void {
    if (message.roomId !== this.pageId || this.phase.at === "closed") {
      return;
    }
    const isDoc = message.crdt === CrdtType.Loro;
    switch (message.type) {
      case MessageType.JoinResponseOk:
        return isDoc ? this.accepted(message) : this.presenceAccepted();
      case MessageType.JoinError:
        return isDoc ? this.notJoined(message) : undefined;
      case MessageType.DocUpdate:
        return message.updates.forEach((blob) => this.take(isDoc, blob));
      case MessageType.DocUpdateFragmentHeader:
        return this.reassembler.begin(message);
      case MessageType.DocUpdateFragment: {
        const blob = this.reassembler.add(message);
        return blob ? this.take(isDoc, blob) : undefined;
      }
      case MessageType.Ack:
        return isDoc ? this.answered(message) : undefined;
      case MessageType.RoomError:
        return isDoc ? this.roomFailed(message) : undefined;
    }
  }

  private accepted(message: JoinResponseOk): void {
    this.connection.settled();
    const server = decodeVersions(message.version);
    this.phase = { at: "catching-up", server };
    this.current = { ...this.current, permission: message.permission };
    this.enqueue(async (box) => {
      await box.dropCovered(server);
      if (message.permission === "read" && box.waiting > 0 && !this.recovering) {
        this.recover("This link may no longer change the page.", true);
      }
    });
    this.settle();
    this.sendWaiting();
  }

  private presenceAccepted(): void {
    this.presenceJoined = true;
    this.channel.joined();
  }

  private notJoined(message: JoinError): void {
    if (message.code === JoinErrorCode.VersionUnknown && !this.recovering) {
      this.recover("The page's history was tidied up while this tab was away.", false);
    } else if (message.code === JoinErrorCode.Unknown) {
      this.connection.restart(SLOW_DOWN_MS);
    } else {
      this.end(joinErrorMessage(message));
    }
  }

  private roomFailed(message: RoomError): void {
    if (message.code === RoomErrorCode.RejoinSuggested) {
      this.connection.restart();
    } else {
      this.end(message.message || "The server closed this page.");
    }
  }

  private take(isDoc: boolean, blob: Uint8Array): void {
    if (!isDoc) {
      this.channel.apply(blob);
      return;
    }
    const doc = this.recovering?.fresh ?? this.document;
    try {
      const status = doc.import(blob);
      if (status.pending && !this.recovering) {
        // Something came without what it needs. Asking again from here would not do: a document that holds what it
        // cannot use takes no page without a past any more, and would ask for ever.
        this.recover("Something was missing between this tab and the server.", false);
        return;
      }
    } catch (error) {
      console.error("glade: an update could not be read; asking for it again", error);
      this.connection.restart(SLOW_DOWN_MS);
      return;
    }
    this.settle();
  }

  /** Whether the backfill is complete, and what follows from it. */
  private settle(): void {
    const doc = this.recovering?.fresh ?? this.document;
    if (this.phase.at === "catching-up" && covers(doc.oplogVersion().toJSON(), this.phase.server)) {
      this.phase = { at: "joined" };
      if (this.recovering) {
        this.enqueue((box) => this.finishRecovery(box));
      } else {
        this.becomeReady();
        this.adoptLeftovers();
      }
    }
    this.show({});
  }

  // --- Sending -------------------------------------------------------------------------------------------------

  private listen(): void {
    this.stopListening();
    this.stopListening = this.document.subscribeLocalUpdates(() => {
      this.gather ??= setTimeout(this.flushNow, GATHER_MS);
      this.show({});
    });
  }

  private readonly flushNow = (): void => this.flush(0);

  /** Hands local operations over to the outbox and whatever is in it to the server. */
  private flush(attempt: number): void {
    clearTimeout(this.gather);
    this.gather = undefined;
    const peer = this.document.peerIdStr;
    const end = this.document.oplogVersion().get(peer) ?? 0;
    while (this.flushed < end) {
      const len = Math.min(MOST_OPERATIONS, end - this.flushed);
      const spans = [{ id: { peer, counter: this.flushed }, len }];
      const blob = this.document.export({ mode: "updates-in-range", spans });
      const ops = this.document.exportJsonInIdSpan({ peer, counter: this.flushed, length: len });
      this.flushed += len;
      this.enqueue(async (box) => {
        await box.add(peer, blob, attempt, ops);
        this.show({});
      });
    }
    this.sendWaiting();
  }

  private sendWaiting(): void {
    this.enqueue(async (box) => {
      if (!this.hears() || this.recovering || this.current.permission !== "write") {
        return;
      }
      for (const entry of box.unsent()) {
        const batchId = randomBatchId();
        box.markSent(batchId, entry);
        for (const bytes of updateMessages(CrdtType.Loro, this.pageId, batchId, entry.blob)) {
          this.connection.send(bytes);
        }
      }
    });
  }

  private answered(ack: Ack): void {
    const refused = this.refusal?.batch === ack.refId ? this.refusal.reason : undefined;
    this.enqueue(async (box) => {
      const entry = box.inFlight(ack.refId);
      if (!entry || this.recovering) {
        return;
      }
      if (ack.status === UpdateStatusCode.Ok) {
        await box.acknowledge(ack.refId);
        this.show({});
      } else if (ack.status === UpdateStatusCode.RateLimited || ack.status === UpdateStatusCode.FragmentTimeout) {
        this.connection.restart(SLOW_DOWN_MS);
      } else {
        this.recover(refusalReason(ack.status, refused), true);
      }
    });
  }

  /** Unsent changes of tabs that are gone: they go out under the ids they were made with. */
  private adoptLeftovers(): void {
    if (this.adopted) {
      return;
    }
    this.adopted = true;
    this.enqueue(async (box) => {
      for (const [peer, entries] of await box.leftBehind()) {
        if (this.current.permission === "write" && (await this.liveness.adopt(this.lockName(peer)))) {
          this.adopt(box, entries);
        }
      }
    });
    this.sendWaiting();
  }

  private adopt(box: Outbox, entries: OutboxEntry[]): void {
    try {
      this.document.importBatch(entries.map((entry) => entry.blob));
      box.adopt(entries);
    } catch (error) {
      // They were made on what the page has let go of since: they are made anew, then forgotten.
      console.warn("glade: changes of an earlier tab are made anew", error);
      replay(
        entries.flatMap((entry) => entry.ops ?? []),
        this.document,
      );
      this.flush(0);
      this.enqueue(() => box.discard(entries));
    }
  }

  // --- Refusals ------------------------------------------------------------------------------------------------

  /** Takes the server's state into a fresh document. `counts`: this was a refusal, not just a lost history. */
  private recover(reason: string, counts: boolean): void {
    if (this.recovering || this.phase.at === "closed") {
      return;
    }
    this.recovering = { fresh: new LoroDoc(), reason, counts };
    this.show({ message: reason });
    this.connection.restart();
  }

  private async finishRecovery(box: Outbox): Promise<void> {
    if (!this.recovering) {
      return;
    }
    // From here to the exchange of documents nothing is awaited: no edit can slip in between.
    const { fresh, reason, counts } = this.recovering;
    const waiting = box.withdraw();
    const { attempt, copy } = moveChanges({
      old: this.document,
      fresh,
      waiting,
      flushed: this.flushed,
      counts,
      mayWrite: this.current.permission === "write",
      pageId: this.pageId,
      reason,
    });
    this.document = fresh;
    this.flushed = 0;
    this.recovering = undefined;
    this.liveness.claim(this.lockName(fresh.peerIdStr));
    this.listen();
    this.channel.rename(fresh.peerIdStr);
    this.newDocs.emit(fresh);
    this.show({ message: copy && `${reason} Your last changes could not be saved; a copy of them is kept for you.` });
    if (copy) {
      this.copies.emit(copy);
    }
    // First what was made anew is kept on this device, then what it replaces is forgotten.
    this.flush(attempt);
    this.enqueue(() => box.discard(waiting));
    this.becomeReady();
    this.adoptLeftovers();
  }

  // --- Status --------------------------------------------------------------------------------------------------

  private end(message: string | undefined): void {
    this.channel.leave();
    this.phase = { at: "closed" };
    this.stopListening();
    globalThis.removeEventListener?.("pagehide", this.flushNow);
    if (message !== undefined) {
      this.connection.stop();
    }
    // What is still being written to this device belongs to this tab until it is.
    this.enqueue(async () => this.liveness.release());
    this.show({ message });
  }

  private show(change: { message?: string | undefined }): void {
    const waiting = (this.box?.waiting ?? 0) + (this.gather === undefined ? 0 : 1);
    const message = "message" in change ? change.message : this.current.message;
    const next: SyncStatus = { state: this.state(waiting), waiting, permission: this.current.permission };
    if (message !== undefined) {
      next.message = message;
    }
    const before = this.current;
    this.current = next;
    if (JSON.stringify(before) !== JSON.stringify(next)) {
      this.statusChanges.emit(next);
    }
  }

  private state(waiting: number): SyncStatus["state"] {
    if (this.phase.at !== "closed" && this.recovering) return "refused";
    switch (this.phase.at) {
      case "closed":
        return "closed";
      case "down":
        return this.phase.before ? "offline" : "connecting";
      case "catching-up":
        return "connecting";
      case "joined":
        return waiting > 0 ? "saving" : "saved";
    }
  }

  /** Whether the server takes what is sent. */
  private hears(): boolean {
    return this.phase.at === "catching-up" || this.phase.at === "joined";
  }

  private sayPresence(bytes: Uint8Array): void {
    if (this.presenceJoined) {
      const messages = updateMessages(CrdtType.LoroEphemeralStore, this.pageId, randomBatchId(), bytes);
      messages.forEach((message) => this.connection.send(message));
    }
  }

  private lockName(peer: string): string {
    return `glade:${this.pageId}:${peer}`;
  }

  private enqueue(job: (box: Outbox) => Promise<void>): void {
    this.work = this.work
      .then(async () => job(await this.outbox))
      .catch((error: unknown) => {
        console.error("glade: keeping or sending changes failed", error);
        this.show({ message: "Changes could not be kept on this device; do not close this tab before they are saved." });
      });
  }
}
