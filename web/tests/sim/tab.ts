/** A tab of the studio: the real `PageSession`, with the simulator's network, clock and device under it. */
import { PageSession } from "../../src/sync/PageSession";
import type { Device } from "./device";
import { open, put, removeKey, type Kind, type Put } from "./edits";
import { Line, type Wire } from "./line";
import { forgetTimers } from "./world";

/** What the simulator is told. */
export type Event =
  | { dial: { tab: number; line: number } }
  | { send: { line: number; bytes: string } }
  | { ping: { line: number } }
  | { close: { line: number } }
  /** From here on changes carry this peer id. */
  | { peer: { tab: number; peer: string } }
  /** This peer's operations up to here outlive the tab. */
  | { kept: { tab: number; peer: string; to: number } }
  /** Changes that the person got as a copy: all the words in it. */
  | { copy: { tab: number; words: string } };

export interface Shown {
  state: string;
  waiting: number;
  permission: string;
  document: string;
  /** What the device holds, as text. */
  device: string;
}

export interface Opening {
  tab: number;
  page: string;
  kind: Kind;
  subject: string;
}

const lines = new Map<number, { line: Line; tab: Tab }>();

export const lineOf = (id: number): { line: Line; tab: Tab } | undefined => lines.get(id);

export class Tab {
  private readonly session: PageSession;
  private isAlive = true;

  constructor(
    private readonly opening: Opening,
    private readonly device: Device,
    tell: (event: Event) => void,
    /** Whose timers are this tab's. */
    readonly owner: object,
  ) {
    const { tab, page, subject } = opening;
    const say = (event: Event) => void (this.isAlive && tell(event));
    const wire: Wire = {
      send: ({ id }, bytes) => say({ send: { line: id, bytes: Buffer.from(bytes).toString("base64") } }),
      ping: ({ id }) => say({ ping: { line: id } }),
      close: ({ id }) => say({ close: { line: id } }),
    };
    this.session = new PageSession({
      pageId: page,
      url: "ws://simulated/sync",
      identity: { subject, name: subject, session: subject, color: "#123456" },
      world: {
        makeSocket: () => {
          const line = new Line(lines.size + 1, wire);
          lines.set(line.id, { line, tab: this });
          say({ dial: { tab, line: line.id } });
          return line;
        },
        storage: device.storageOf((peer, to) => say({ kept: { tab, peer, to } })),
        liveness: device.livenessOf(owner),
      },
    });
    say({ peer: { tab, peer: this.session.peer } });
    open(this.session.doc, opening.kind);
    this.session.onDocReplaced((doc) => {
      open(doc, opening.kind);
      say({ peer: { tab, peer: this.session.peer } });
    });
    this.session.onRefusedCopy(({ elements }) => say({ copy: { tab, words: JSON.stringify(elements) } }));
  }

  edit(puts: Put[], removed: string | null): void {
    const { doc } = this.session;
    for (const one of puts) put(doc, this.opening.kind, one);
    if (removed !== null) removeKey(doc, this.opening.kind, removed);
    doc.commit();
  }

  /** How far this tab's own operations go. */
  written(): { peer: string; to: number } {
    const { doc, peer } = this.session;
    return {
      peer,
      to:
        doc
          .oplogVersion()
          .toJSON()
          .get(peer as never) ?? 0,
    };
  }

  async show(): Promise<Shown> {
    const { state, waiting, permission } = this.session.status;
    const document = Buffer.from(this.session.doc.export({ mode: "snapshot" })).toString("base64");
    const device = JSON.stringify((await this.device.waiting()).map(({ ops }) => ops));
    return { state, waiting, permission, document, device };
  }

  /** The browser ends it, in the middle of whatever it does. */
  kill(): void {
    this.isAlive = false;
    forgetTimers(this.owner);
    this.device.release(this.owner);
  }
}
