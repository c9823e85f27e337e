import type { LoroDoc } from "loro-crdt";
import { faultOf, isReserved, type Fault } from "./elementRules";
import { changesIn, editText, readAll, readElement, writeRegister } from "./elementsDoc";
import { SceneOrder, type RepairIndices } from "./order";
import { PageLoad } from "./pageLoad";
import { isAlive, projectElement, type TextLayout } from "./projection";
import { References } from "./references";
import { TEXT, isBlobId, isKnownType, isStored, plain, same, type Props, type SceneElement } from "./schema";
import { apply, compose, diffText, transform, type Delta } from "./textDelta";
import { UndoGuard } from "./undoGuard";

interface Shadow {
  version: number;
  versionNonce: number;
  /** The order register that the scene's order was made from; the scene's own index may be a repaired one. */
  index: unknown;
  props: Props;
}

export interface LocalEdit {
  /** Elements that are not to be written yet, if they never were. */
  held?: ReadonlySet<string>;
  /** The editor's undo or redo made this change. */
  history?: boolean;
}

/** An element that the editor is not given, and why. */
export interface SetAside {
  id: string;
  type: string;
  fault: Fault;
}

/** A scene to be shown. */
export interface Projection {
  scene: SceneElement[];
  /** Its elements that are new or different. */
  fresh: SceneElement[];
}

/** A set that is only asked who is in it. */
type Members = Pick<ReadonlySet<string>, "has">;

/** So many changes are few; and in a large scene, one in so many of its elements. */
const FEW = 8;

export interface ShadowTools {
  layout: TextLayout;
  repairIndices: RepairIndices;
  now?: () => number;
  /** Elements over which the editor, or the way to it, has broken: added to here, and shown no more. */
  broken?: Set<string>;
}

/**
 * Between the document and the editor stands the shadow: the scene as it was last in step with both.
 *
 * What differs between the scene and its shadow is what the person did, property by property, and nothing else is
 * ever written. What differs between the document's projection and the scene is what others did, and is applied on
 * top of the scene, except to elements that the person has in hand. Neither side is ever compared with the document
 * directly: the document has other people's changes, and the scene has repairs.
 */
export class SceneShadow {
  readonly undo = new UndoGuard();
  private doc: LoroDoc | undefined;
  private unsubscribe: () => void = () => {};
  private raws = new Map<string, Props>();
  private references = new References();
  /** What would spoil the page for the editor: it is on no scene, and nothing is written about it from here. */
  private readonly aside = new Map<string, Fault>();
  /** What of the rest is too much for one page. */
  private readonly load = new PageLoad();
  /** Elements that the scene has as deleted since they cannot be shown. */
  private readonly hidden = new Set<string>();
  private readonly shadows = new Map<string, Shadow>();
  /** Versions given to elements that left the scene: the editor notices a change only when the version rises. */
  private readonly lastVersions = new Map<string, number>();
  private readonly dirty = new Set<string>();
  /** Elements that others changed and nobody has read since: many words at once are read once. */
  private readonly unread = new Set<string>();
  /** How texts in the document differ from the texts in the shadow: others' typing that is not shown yet. */
  private readonly unseenText = new Map<string, Delta>();
  private readonly order: SceneOrder;
  private readonly broken: Set<string>;
  private writing = false;

  constructor(
    private readonly tools: ShadowTools,
    private readonly onRemote: () => void = () => {},
  ) {
    this.order = new SceneOrder(tools.repairIndices);
    this.broken = tools.broken ?? new Set();
  }

  /** Follows a document; everything is projected anew, on top of whatever the scene shows. */
  attach(doc: LoroDoc): void {
    this.detach();
    this.doc = doc;
    this.raws = readAll(doc);
    this.references = new References();
    this.unseenText.clear();
    this.unread.clear();
    this.aside.clear();
    this.load.clear();
    for (const [id, raw] of this.raws) {
      this.judge(id, raw);
      this.references.update(id, undefined, raw);
      this.dirty.add(id);
    }
    for (const [id, shadow] of this.shadows) {
      this.dirty.add(id);
      this.unseenText.set(id, diffText(textOf(shadow.props), textOf(this.raws.get(id))));
    }
    this.unsubscribe = doc.subscribe((batch) => {
      if (this.writing) {
        return;
      }
      const { ids, texts } = changesIn(batch);
      for (const [id, delta] of texts) {
        this.unseenText.set(id, compose(this.unseenText.get(id) ?? [], delta));
      }
      for (const id of ids) {
        this.unread.add(id);
      }
      this.onRemote();
    });
    this.settleLoad();
    this.onRemote();
  }

  /** Forgets what was shown, so that the next projection is of the whole page. */
  reset(): void {
    this.shadows.clear();
    for (const id of this.raws.keys()) {
      this.dirty.add(id);
    }
  }

  detach(): void {
    this.unsubscribe();
    this.unsubscribe = () => {};
    this.doc = undefined;
  }

  /** Whether there is something to show that is not in `busy`. */
  hasNews(busy: ReadonlySet<string>): boolean {
    for (const ids of [this.dirty, this.unread]) {
      for (const id of ids) {
        if (!busy.has(id)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Texts depend on fonts: when one has arrived, they are laid out again. */
  relayoutTexts(): void {
    for (const [id, raw] of this.raws) {
      if (raw.type === "text" && isAlive(raw)) {
        this.dirty.add(id);
      }
    }
  }

  /** The elements of the page that are set aside, in the order of their ids. */
  setAside(): SetAside[] {
    return [...this.aside, ...this.load.entries()]
      .filter(([id]) => isAlive(this.raws.get(id)))
      .map(([id, fault]) => ({ id, type: String(this.raws.get(id)?.type ?? ""), fault }))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Deletes elements that are set aside, for everybody. */
  deleteSetAside(ids: readonly string[]): void {
    const doc = this.doc;
    if (!doc) {
      return;
    }
    this.writing = true;
    try {
      for (const id of ids.filter((id) => this.isAside(id))) {
        writeRegister(doc, id, "isDeleted", true);
        this.setRaw(id, { ...this.raws.get(id), isDeleted: true });
      }
      this.settleLoad();
    } finally {
      doc.commit();
      this.writing = false;
    }
  }

  // --- From the person to the document -------------------------------------------------------------------------

  /** Writes what the person changed since the shadow, in one commit. Answers whether anything was written. */
  takeLocal(scene: readonly SceneElement[], edit: LocalEdit = {}): boolean {
    const doc = this.doc;
    if (!doc || this.lostScene(scene)) {
      return false;
    }
    this.catchUp(doc);
    let met = 0;
    let wrote = false;
    this.writing = true;
    try {
      for (const element of scene) {
        const shadow = this.shadows.get(element.id);
        met += shadow ? 1 : 0;
        if (shadow && shadow.version === element.version && shadow.versionNonce === element.versionNonce) {
          continue;
        }
        if (shadow || this.isNews(element, edit)) {
          wrote = this.write(doc, element, shadow, edit.history ?? false) || wrote;
        }
      }
      if (met < this.shadows.size) {
        wrote = this.deleteMissing(doc, scene) || wrote;
      }
    } finally {
      doc.commit();
      this.writing = false;
    }
    return wrote;
  }

  /** A scene that lost everything at once was reset by the editor, not by a person: show it again. */
  private lostScene(scene: readonly SceneElement[]): boolean {
    if (scene.length > 0 || this.shadows.size < 2) {
      return false;
    }
    for (const [id, shadow] of this.shadows) {
      this.lastVersions.set(id, shadow.version);
      this.dirty.add(id);
    }
    this.shadows.clear();
    return true;
  }

  private isNews(element: SceneElement, edit: LocalEdit): boolean {
    const known = this.raws.has(element.id);
    // What was taken off the scene here is not deleted for everybody.
    if (this.isAside(element.id) || (this.hidden.has(element.id) && element.isDeleted)) {
      return false;
    }
    // Nobody else could show a picture that the server does not keep yet.
    if (element.type === "image" && !isBlobId(element.fileId)) {
      return false;
    }
    return isKnownType(element.type) && !edit.held?.has(element.id) && (known || !element.isDeleted);
  }

  private write(doc: LoroDoc, element: SceneElement, shadow: Shadow | undefined, history: boolean): boolean {
    const id = element.id;
    // An element that the scene did not have is compared with what the document knows of it, usually nothing.
    const known = shadow?.props ?? this.raws.get(id);
    const base = known ?? {};
    const written: Props = {};
    const keys = new Set([...Object.keys(element), ...Object.keys(base)].filter(isStored));
    for (const key of [...keys].sort()) {
      // A new element is written whole: a null is something other than the default that others would read.
      if (known ? same(element[key], base[key]) : element[key] === undefined) {
        continue;
      }
      if (history && !this.undo.allows(id, key, element[key])) {
        this.dirty.add(id);
        if (key === TEXT) {
          this.unseenText.set(id, diffText(textOf(element), textOf(this.raws.get(id))));
        }
      } else if (key === TEXT) {
        written[key] = this.writeText(doc, id, textOf(base), textOf(element));
      } else if (key === "status") {
        // How far this browser got with a picture's bytes is nobody else's matter.
        if (!known) writeRegister(doc, id, key, (written[key] = "saved"));
      } else {
        written[key] = plain(element[key]);
        writeRegister(doc, id, key, written[key]);
      }
    }
    const changed = Object.keys(written).length > 0;
    if (changed) {
      this.setRaw(id, { ...this.raws.get(id), ...written });
    }
    this.remember(element);
    return changed;
  }

  /** The person's change of a text, moved to where it belongs in the document's text. Answers what that is now. */
  private writeText(doc: LoroDoc, id: string, before: string, after: string): string {
    const mine = diffText(before, after);
    const theirs = this.unseenText.get(id) ?? [];
    const delta = transform(mine, theirs, true);
    editText(doc, id, delta);
    if (theirs.length > 0) {
      this.unseenText.set(id, transform(theirs, mine, false));
    }
    return apply(textOf(this.raws.get(id)), delta);
  }

  private deleteMissing(doc: LoroDoc, scene: readonly SceneElement[]): boolean {
    const present = new Set(scene.map((element) => element.id));
    let wrote = false;
    for (const [id, shadow] of this.shadows) {
      if (present.has(id)) {
        continue;
      }
      this.forget(id);
      if (shadow.props.isDeleted !== true) {
        writeRegister(doc, id, "isDeleted", true);
        this.setRaw(id, { ...this.raws.get(id), isDeleted: true });
        wrote = true;
      }
    }
    return wrote;
  }

  // --- From the document to the editor -------------------------------------------------------------------------

  /**
   * The scene with others' changes on top, or null if there are none to show now. Elements in `busy` stay as they
   * are, the same objects. Call `takeLocal` with the same scene first: what the person did since must be in the
   * document before the document is shown.
   */
  project(scene: readonly SceneElement[], busy: Members = new Set()): Projection | null {
    if (this.doc) {
      this.catchUp(this.doc);
    }
    const ids = [...this.dirty].filter((id) => !busy.has(id));
    if (ids.length === 0) {
      return null;
    }
    const placeOf = this.places(scene, ids.length);
    const next = [...scene];
    const added: SceneElement[] = [];
    const fresh = new Map<string, SceneElement>();
    const moved = new Set<string>();
    for (const id of ids) {
      this.dirty.delete(id);
      this.unseenText.delete(id);
      const at = placeOf(id);
      const current = at === undefined ? undefined : next[at];
      const shadow = this.shadows.get(id);
      const target = this.projected(id);
      if (!target) {
        if (at !== undefined && current && shadow && !current.isDeleted) {
          fresh.set(id, (next[at] = this.bump(current, { isDeleted: true })));
          this.hidden.add(id);
        }
        this.forget(id);
        continue;
      }
      this.hidden.delete(id);
      if (at === undefined || !current) {
        if (target.isDeleted !== true) {
          const element = this.remember(this.bump({ ...target, version: this.lastVersions.get(id) ?? 0 } as SceneElement, {}));
          added.push(element);
          fresh.set(id, element);
          moved.add(id);
        }
      } else {
        if (!same(target.index, shadow?.index) || this.order.isElsewhere(id, this.registerOf(id) ?? null)) {
          moved.add(id);
        }
        const patch = this.patchFor(current, target);
        if (Object.keys(patch).length > 0) {
          Object.entries(patch).forEach(([key, value]) => this.undo.foreign(id, key, value));
          fresh.set(id, (next[at] = this.bump(current, patch)));
        }
        this.remember(next[at] as SceneElement);
      }
    }
    const ordered = moved.size > 0 ? this.ordered(next, added, moved, busy, fresh) : next;
    const changed = fresh.size > 0 || ordered.some((element, at) => element !== scene[at]);
    return changed ? { scene: ordered, fresh: [...fresh.values()] } : null;
  }

  /** An element as the editor is given it. One that cannot be made ready is set aside: the others are shown. */
  private projected(id: string): Props | undefined {
    try {
      return projectElement({ raw: (of) => this.sound(of), references: this.references }, id, this.tools.layout);
    } catch (error) {
      console.error(`glade: the element ${id} cannot be shown`, error);
      this.broken.add(id);
      this.judge(id, this.raws.get(id));
      return undefined;
    }
  }

  private patchFor(current: SceneElement, target: Props): Props {
    const patch: Props = {};
    for (const [key, value] of Object.entries(target)) {
      if (key === "boundElements") {
        const wanted = this.withHeld(current.boundElements, value);
        if (!sameMembers(wanted, current.boundElements)) {
          patch[key] = wanted;
        }
      } else if (key !== "index" && !same(value, current[key])) {
        patch[key] = value;
      }
    }
    return patch;
  }

  /** What is bound in the scene by something that is not in the document yet stays bound. */
  private withHeld(current: unknown, wanted: unknown): unknown {
    const held = members(current).filter((bound) => !this.raws.has(bound.id));
    return held.length > 0 ? [...members(wanted), ...held] : wanted;
  }

  /** Where elements of a scene are. For a few changes in a scene whose order is known, they need not all be looked at. */
  private places(scene: readonly SceneElement[], changes: number): (id: string) => number | undefined {
    if (changes <= Math.max(FEW, scene.length / FEW) && this.order.follows(scene)) {
      return (id) => {
        const at = this.order.place(id);
        return at < 0 ? undefined : at;
      };
    }
    this.order.forget();
    const all = new Map(scene.map((element, at) => [element.id, at]));
    return (id) => all.get(id);
  }

  /** The scene with what is new in it, what has moved in its place, and order keys that the editor can work with. */
  private ordered(
    scene: SceneElement[],
    added: readonly SceneElement[],
    moved: ReadonlySet<string>,
    busy: Members,
    fresh: Map<string, SceneElement>,
  ): SceneElement[] {
    const rekey = (element: SceneElement, index: string | null): SceneElement => {
      if (element.index === index) {
        return element;
      }
      if (busy.has(element.id)) {
        // It gets its key when it is let go.
        this.order.forget();
        return element;
      }
      const rekeyed = this.bump(element, { index });
      fresh.set(element.id, rekeyed);
      return this.shadows.has(element.id) ? this.remember(rekeyed) : rekeyed;
    };
    const settled = this.order.keeps ? this.putInPlace(scene, added, moved) : null;
    if (settled) {
      for (const [at, index] of settled) {
        scene[at] = rekey(scene[at] as SceneElement, index);
      }
      return scene;
    }
    const all = new Map([...scene, ...added].map((element) => [element.id, element]));
    return this.order
      .arrange([...all.values()], (id) => this.registerOf(id))
      .map(({ id, index }) => rekey(all.get(id) as SceneElement, index));
  }

  /** Puts what is new and what has moved in its place, in the scene and in its order alike; then as `settle`. */
  private putInPlace(scene: SceneElement[], added: readonly SceneElement[], moved: ReadonlySet<string>): Map<number, string | null> | null {
    const news = new Map(added.map((element) => [element.id, element]));
    for (const id of moved) {
      const [element] = news.has(id) ? [news.get(id)] : scene.splice(this.order.take(id), 1);
      if (element) {
        scene.splice(this.order.put(id, this.registerOf(id) ?? null), 0, element);
      }
    }
    return this.order.settle();
  }

  private registerOf(id: string): string | null | undefined {
    const raw = this.raws.get(id);
    if (!raw) {
      return undefined;
    }
    return typeof raw.index === "string" ? raw.index : null;
  }

  private bump(element: SceneElement, patch: Props): SceneElement {
    return {
      ...element,
      ...patch,
      version: element.version + 1,
      versionNonce: Math.floor(Math.random() * 2 ** 31),
      updated: (this.tools.now ?? Date.now)(),
    };
  }

  // --- What is known -------------------------------------------------------------------------------------------

  private remember(element: SceneElement): SceneElement {
    const { version, versionNonce } = element;
    this.shadows.set(element.id, { version, versionNonce, index: this.raws.get(element.id)?.index, props: { ...element } });
    return element;
  }

  private forget(id: string): void {
    const shadow = this.shadows.get(id);
    if (shadow) {
      this.lastVersions.set(id, shadow.version);
      this.shadows.delete(id);
    }
  }

  private judge(id: string, raw: Props | undefined): void {
    const named: Fault | undefined = isReserved(id) ? { property: "id", kind: "name" } : undefined;
    const broken: Fault | undefined = this.broken.has(id) ? { property: "id", kind: "broken" } : undefined;
    const fault = raw && isKnownType(raw.type) ? (broken ?? named ?? faultOf(raw)) : undefined;
    if (fault) {
      this.aside.set(id, fault);
    } else {
      this.aside.delete(id);
    }
    this.load.set(id, fault ? undefined : raw);
  }

  private isAside(id: string): boolean {
    return this.aside.has(id) || this.load.faultOf(id) !== undefined;
  }

  /** What is too much for the page now, or is so no more, is shown accordingly. */
  private settleLoad(): void {
    for (const id of this.load.settle()) {
      const raw = this.raws.get(id);
      [id, ...References.of(raw), ...this.references.at(id)].forEach((one) => this.dirty.add(one));
    }
  }

  /** An element as stored, if it can be shown. */
  private sound(id: string): Props | undefined {
    return this.isAside(id) ? undefined : this.raws.get(id);
  }

  private catchUp(doc: LoroDoc): void {
    for (const id of this.unread) {
      this.setRaw(id, readElement(doc, id));
    }
    this.unread.clear();
    this.settleLoad();
  }

  /**
   * Takes note of an element's stored state. It, what it points at and what points at it are projected anew, after a
   * change of the person's own too: what is on the screen is always what the document says, for everybody the same.
   */
  private setRaw(id: string, after: Props | undefined): void {
    const before = this.raws.get(id);
    this.judge(id, after);
    this.references.update(id, before, after);
    if (after) {
      this.raws.set(id, after);
    } else {
      this.raws.delete(id);
    }
    const touched = [id, ...References.of(before), ...References.of(after), ...this.references.at(id)];
    touched.forEach((one) => this.dirty.add(one));
  }
}

function textOf(props: Props | undefined): string {
  return typeof props?.[TEXT] === "string" ? props[TEXT] : "";
}

function members(bound: unknown): { id: string; type: string }[] {
  return Array.isArray(bound) ? bound : [];
}

function sameMembers(a: unknown, b: unknown): boolean {
  const ids = (bound: unknown) =>
    members(bound)
      .map((m) => `${m.type}:${m.id}`)
      .sort();
  return same(ids(a), ids(b));
}
