import { CaptureUpdateAction, type DurableIncrement, type EphemeralIncrement } from "@excalidraw/element";
import type { ExcalidrawElement } from "@excalidraw/element/types";
import type { AppState, ExcalidrawImperativeAPI } from "@excalidraw/excalidraw/types";
import { flushSync } from "react-dom";
import type { PageSession, Unsubscribe } from "../sync";
import { Caution } from "./Caution";
import { collaboratorsFrom } from "./collaborators";
import { layoutText, repairIndices } from "./editorTools";
import { loadFonts } from "./fonts";
import { perFrame } from "./frames";
import { readIncrement } from "./history";
import { busyIds, heldIds } from "./inHand";
import { SceneShadow, type SetAside } from "./SceneShadow";
import { SceneWatch } from "./sceneWatch";
import type { SceneElement } from "./schema";

/** How long after its last step a view still counts as moving: longer than a large page takes to draw. */
const MOVING_MS = 500;
/** Showing what others did rests this many times as long as it took, so that a person's own hand comes first. */
const REST = { moving: 8, still: 1 };
/** While the view moves that is never less than this: most of the cost comes later, with the drawing. */
const SHORTEST_MOVING_MS = 250;
/** But nobody waits longer than this for what others did. */
const LONGEST_REST_MS = 400;

/** Ties one editor on the screen to one page session, both ways, through the shadow. */
export class EditorBinding {
  private readonly shadow: SceneShadow;
  private readonly soon = perFrame(
    () => this.showNews(),
    (cost) => Math.min(LONGEST_REST_MS, this.moving() ? Math.max(SHORTEST_MOVING_MS, cost * REST.moving) : cost * REST.still),
  );
  private readonly peopleSoon = perFrame(() => this.showPeople());
  private readonly ends: Unsubscribe[] = [];
  private readonly watch = new SceneWatch();
  /** Which new elements were held back when the scene was last taken. */
  private held = "";
  private moved = -Infinity;
  private shownPeople = "";
  private toldSetAside = "[]";
  private undoing = false;
  private started = false;
  private closed = false;

  get readOnly(): boolean {
    return this.closed;
  }

  /** What was drawn while nothing could be written is written when it can. */
  set readOnly(closed: boolean) {
    this.closed = closed;
    this.watch.forget();
  }

  constructor(
    private readonly api: ExcalidrawImperativeAPI,
    private readonly session: PageSession,
    /** Told when other elements than before cannot be shown. */
    private readonly onSetAside: (aside: SetAside[]) => void = () => {},
    private readonly caution: Caution = new Caution(),
    /** Told when the editor did not take what it was given. */
    private readonly onBroke: (error: unknown) => void = (error) => {
      throw error;
    },
  ) {
    this.shadow = new SceneShadow({ layout: layoutText, repairIndices, broken: caution.aside }, () => this.soon.ask());
  }

  /** Shows the page for the first time, which is nobody's edit and nothing to undo. */
  async start(): Promise<void> {
    this.shadow.attach(this.session.doc);
    // Laid out once to learn which texts there are, and again when their fonts are there to measure with.
    await loadFonts(asElements(this.shadow.project([])?.scene ?? []));
    if (this.api.isDestroyed) {
      return;
    }
    this.shadow.reset();
    this.ends.push(
      this.session.onDocReplaced((doc) => {
        this.watch.forget();
        this.shadow.attach(doc);
        this.showNews();
        this.letGoOfGone();
      }),
      this.session.onPresence(() => this.peopleSoon.ask()),
    );
    document.fonts.addEventListener("loadingdone", this.fontsArrived);
    this.started = true;
    this.showNews();
    this.api.history.clear();
  }

  stop(): void {
    this.started = false;
    document.fonts.removeEventListener("loadingdone", this.fontsArrived);
    this.soon.cancel();
    this.peopleSoon.cancel();
    this.ends.splice(0).forEach((end) => end());
    this.shadow.detach();
  }

  /** The editor calls this for everything, often without any change of an element. Answers whether there was one. */
  changed(elements: readonly ExcalidrawElement[], state: AppState): boolean {
    const history = this.undoing;
    this.undoing = false;
    if (!this.started) {
      return false;
    }
    const scene = this.sceneMap();
    const held = heldIds(state, scene);
    const different = this.watch.changed(elements);
    const letGo = [...held].join() !== this.held;
    if (!this.readOnly && (different || letGo || history)) {
      this.held = [...held].join();
      this.shadow.takeLocal(asScene(elements), { held, history });
    }
    if (this.shadow.hasNews(busyIds(state, scene))) {
      this.soon.ask();
    }
    return different;
  }

  /** The person pans or zooms. */
  viewMoved(): void {
    this.moved = performance.now();
  }

  incremented(increment: DurableIncrement | EphemeralIncrement): void {
    const read = readIncrement(increment);
    if (read.kind === "edit") {
      this.shadow.undo.captured(read.capture);
    } else if (read.kind === "history") {
      this.undoing = true;
    }
  }

  /** Deletes elements that cannot be shown, for everybody. */
  deleteSetAside(ids: readonly string[]): void {
    this.shadow.deleteSetAside(ids);
    this.soon.ask();
  }

  private showNews(): void {
    if (!this.started || this.api.isDestroyed) {
      return;
    }
    const state = this.api.getAppState();
    const scene = this.sceneMap();
    if (!this.readOnly) {
      this.shadow.takeLocal(asScene(this.api.getSceneElementsIncludingDeleted()), { held: heldIds(state, scene) });
    }
    const busy = busyIds(state, scene);
    this.give((id) => busy.has(id) || this.caution.isDoubtful(id));
    for (const group of this.caution.groups()) {
      if (!this.give((id) => busy.has(id) || !group.includes(id))) return;
      this.caution.stood(group);
    }
    this.tellSetAside();
  }

  /** Shows what is new, but what stays as it is. Answers whether the editor took it. */
  private give(stays: (id: string) => boolean): boolean {
    if (!this.started) {
      return false;
    }
    const before = asScene(this.api.getSceneElementsIncludingDeleted());
    const next = this.shadow.project(before, { has: stays });
    if (!next) {
      return true;
    }
    const elements = asElements(next.scene);
    const show = () => this.api.updateScene({ elements, captureUpdate: CaptureUpdateAction.NEVER });
    this.caution.giving(next.fresh.map(({ id }) => id));
    try {
      // The editor draws the whole page anew. A moving view is about to be drawn in any case, and one drawing shows
      // both; a still one is drawn at once, so that what it cost is known.
      if (this.moving()) show();
      else flushSync(show);
    } catch (error) {
      this.stop();
      this.onBroke(error);
    }
    void loadFonts(asElements(next.fresh));
    // Whoever hears of it stops the binding of an editor that broke.
    return this.started;
  }

  /** What was refused is no longer on the page: nor is it selected. */
  private letGoOfGone(): void {
    if (!this.started || this.api.isDestroyed) return;
    const there = new Set(this.api.getSceneElements().map(({ id }) => id));
    const selected = Object.entries(this.api.getAppState().selectedElementIds).filter(([id]) => there.has(id));
    this.api.updateScene({ appState: { selectedElementIds: Object.fromEntries(selected) }, captureUpdate: CaptureUpdateAction.NEVER });
  }

  private tellSetAside(): void {
    const aside = this.shadow.setAside();
    const told = JSON.stringify(aside);
    if (told !== this.toldSetAside) {
      this.toldSetAside = told;
      this.onSetAside(aside);
    }
  }

  private moving(): boolean {
    return performance.now() - this.moved < MOVING_MS;
  }

  private showPeople(): void {
    if (!this.started || this.api.isDestroyed) {
      return;
    }
    const people = collaboratorsFrom(this.session.presences(), this.session.peer);
    const shown = JSON.stringify([...people]);
    if (shown !== this.shownPeople) {
      this.shownPeople = shown;
      this.api.updateScene({ collaborators: people });
    }
  }

  private readonly fontsArrived = (): void => {
    this.shadow.relayoutTexts();
    this.soon.ask();
  };

  private sceneMap(): ReadonlyMap<string, ExcalidrawElement> {
    return this.api.getSceneElementsMapIncludingDeleted() as unknown as ReadonlyMap<string, ExcalidrawElement>;
  }
}

/** The adapter knows elements as bags of properties; these two are where Excalidraw's types end and begin. */
const asScene = (elements: readonly ExcalidrawElement[]) => elements as unknown as readonly SceneElement[];
const asElements = (scene: readonly SceneElement[]) => scene as unknown as ExcalidrawElement[];
