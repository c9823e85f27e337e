import { describe, expect, test } from "vitest";
import { LoroDoc, type LoroMap } from "loro-crdt";
import { repairIndices } from "./editorTools";
import type { TextLayout } from "./projection";
import { SceneShadow } from "./SceneShadow";
import { withDefaults, type Props, type SceneElement } from "./schema";
import { Random } from "./testRandom";

/** As wide as it has letters; labels sit at their container's corner. */
const layout: TextLayout = (text, container) => ({
  text: text.originalText,
  width: String(text.originalText).length * 10,
  ...(container ? { x: (container.x as number) + 5, y: (container.y as number) + 5 } : {}),
});

/** Stands in for Excalidraw: elements are changed in place, and every change raises the version. */
class Editor {
  readonly doc = new LoroDoc();
  scene: SceneElement[] = [];
  busy = new Set<string>();
  readonly shadow: SceneShadow;

  constructor(
    readonly name: string,
    peer: number,
    tools: Partial<ConstructorParameters<typeof SceneShadow>[0]> = {},
  ) {
    this.shadow = new SceneShadow({ layout, repairIndices, ...tools });
    this.doc.setPeerId(BigInt(peer));
    this.shadow.attach(this.doc);
  }

  get(id: string): SceneElement {
    const found = this.scene.find((element) => element.id === id);
    if (!found) throw new Error(`${this.name} has no ${id}`);
    return found;
  }

  add(id: string, type: string, props: Props = {}): void {
    const last = this.scene.at(-1)?.index ?? null;
    const element = { ...withDefaults(id, { type, width: 10, height: 10, ...props }), boundElements: null };
    const index = repairIndices([...(last ? [{ id: "last", index: last }] : []), { id, index: null }]).get(id) ?? null;
    const made: Props = { ...element, index, version: 1, versionNonce: 1, updated: 0 };
    this.scene = [...this.scene, made as SceneElement];
  }

  change(id: string, props: Props): void {
    const element = this.get(id);
    Object.assign(element, props, { version: element.version + 1, versionNonce: element.versionNonce + 7 });
  }

  /** What happens every animation frame; answers whether the scene was given anew. */
  frame(history = false): boolean {
    this.shadow.takeLocal(this.scene, { history });
    const next = this.shadow.project(this.scene, this.busy);
    this.scene = next?.scene ?? this.scene;
    return next !== null;
  }

  /** Takes another's document in. */
  pull(from: Editor): void {
    this.doc.import(from.doc.export({ mode: "update", from: this.doc.oplogVersion() }));
  }

  /**
   * The scene in its order, without what each editor makes up for itself: versions, and order keys, whose repair
   * depends on which deleted elements a scene still has.
   */
  seen(): Props[] {
    return this.scene
      .filter((element) => !element.isDeleted)
      .map(({ version: _v, versionNonce: _n, updated: _u, index: _i, ...rest }) => rest);
  }

  stored(id: string): Props {
    return (this.doc.getMap("elements").get(id) as LoroMap).toJSON() as Props;
  }

  operations(): number {
    return this.doc.opCount();
  }
}

function pair(): [Editor, Editor] {
  return [new Editor("ann", 1), new Editor("bob", 2)];
}

function exchange(...editors: Editor[]): void {
  editors.forEach((editor) => editor.frame());
  for (const to of editors) for (const from of editors) if (to !== from) to.pull(from);
  editors.forEach((editor) => editor.frame());
}

describe("the scene's shadow", () => {
  test("only properties that the person changed are written", () => {
    const [ann] = pair();
    ann.add("r", "rectangle", { strokeColor: "red", customData: undefined });
    ann.frame();
    const { id: _id, boundElements: _b, version: _v, versionNonce: _n, updated: _u, customData: _c, ...rest } = ann.get("r");
    expect(ann.stored("r")).toEqual(rest);
    const before = ann.operations();
    ann.frame();
    ann.change("r", { boundElements: [{ id: "x", type: "arrow" }], groupIds: [] });
    ann.frame();
    expect(ann.operations()).toBe(before);
    ann.change("r", { x: 5, strokeColor: "red" });
    ann.frame();
    expect(ann.operations()).toBe(before + 1);
  });

  test("two properties of one element changed at the same time both survive", () => {
    const [ann, bob] = pair();
    ann.add("r", "rectangle");
    exchange(ann, bob);
    ann.change("r", { x: 100 });
    bob.change("r", { strokeColor: "blue" });
    exchange(ann, bob);
    expect(ann.seen()).toEqual(bob.seen());
    expect(ann.get("r")).toMatchObject({ x: 100, strokeColor: "blue" });
  });

  test("showing others' changes writes nothing and gives the scene once", () => {
    const [ann, bob] = pair();
    ann.add("r", "rectangle");
    ann.frame();
    bob.pull(ann);
    const before = bob.operations();
    expect([bob.frame(), bob.frame(), bob.frame()]).toEqual([true, false, false]);
    expect(bob.operations()).toBe(before);
  });

  test("the version rises with every change from outside, and other elements stay the same objects", () => {
    const [ann, bob] = pair();
    ann.add("r", "rectangle");
    ann.add("s", "rectangle");
    exchange(ann, bob);
    const [r, s] = [bob.get("r"), bob.get("s")];
    ann.change("r", { x: 3 });
    exchange(ann, bob);
    expect(bob.get("s")).toBe(s);
    expect(bob.get("r").version).toBeGreaterThan(r.version);
  });

  test("an element in the person's hand is left alone until they let go, then both changes are there", () => {
    const [ann, bob] = pair();
    ann.add("r", "rectangle");
    exchange(ann, bob);
    const held = bob.get("r");
    bob.busy.add("r");
    bob.change("r", { x: 50 });
    bob.frame();
    ann.change("r", { strokeColor: "blue", x: 7 });
    exchange(ann, bob);
    expect(bob.get("r")).toBe(held);
    expect(bob.get("r").strokeColor).toBe("#1e1e1e");
    bob.change("r", { x: 60 });
    bob.busy.clear();
    exchange(ann, bob);
    expect(bob.get("r")).toMatchObject({ x: 60, strokeColor: "blue" });
    expect(ann.seen()).toEqual(bob.seen());
  });

  test("two people typing in one label both survive", () => {
    const [ann, bob] = pair();
    ann.add("t", "text", { originalText: "order", text: "order" });
    exchange(ann, bob);
    ann.busy.add("t");
    bob.busy.add("t");
    for (const [a, b] of [
      ["n", "1"],
      ["e", "2"],
      ["w", "3"],
    ] as const) {
      ann.change("t", { originalText: (ann.get("t").originalText as string).replace("order", `${a}order`) });
      bob.change("t", { originalText: `${bob.get("t").originalText}${b}` });
      exchange(ann, bob);
    }
    ann.busy.clear();
    bob.busy.clear();
    exchange(ann, bob);
    expect([ann.get("t").originalText, bob.get("t").text]).toEqual(["neworder123", "neworder123"]);
    expect(ann.seen()).toEqual(bob.seen());
  });

  test("deleting is a register and can be taken back by either", () => {
    const [ann, bob] = pair();
    ann.add("r", "rectangle");
    exchange(ann, bob);
    ann.change("r", { isDeleted: true });
    exchange(ann, bob);
    expect(bob.get("r").isDeleted).toBe(true);
    expect(bob.doc.getMap("elements").keys()).toEqual(["r"]);
    bob.change("r", { isDeleted: false });
    exchange(ann, bob);
    expect(ann.get("r").isDeleted).toBe(false);
  });

  test("an element that vanishes from the scene is deleted; a scene that vanishes whole is shown again", () => {
    const [ann, bob] = pair();
    ["r", "s", "t"].forEach((id) => ann.add(id, "rectangle"));
    exchange(ann, bob);
    ann.scene = ann.scene.filter((element) => element.id !== "r");
    exchange(ann, bob);
    expect(bob.get("r").isDeleted).toBe(true);
    ann.scene = [];
    ann.frame();
    exchange(ann, bob);
    expect(ann.seen().map((element) => element.id)).toEqual(["s", "t"]);
    expect(ann.seen()).toEqual(bob.seen());
  });

  test("what is held back is written when it is let go", () => {
    const [ann] = pair();
    ann.add("f", "freedraw", { points: [[0, 0]] });
    ann.shadow.takeLocal(ann.scene, { held: new Set(["f"]) });
    expect(ann.doc.getMap("elements").keys()).toEqual([]);
    ann.frame();
    expect(ann.stored("f")).toMatchObject({ type: "freedraw", points: [[0, 0]] });
  });

  test("bindings and labels are derived on read, and what dangles is repaired for the eye only", () => {
    const [ann, bob] = pair();
    ann.add("r", "rectangle");
    ann.add("t", "text", { originalText: "hi", containerId: "r" });
    const binding = { elementId: "r", fixedPoint: [0.5, 1], mode: "orbit" };
    ann.add("a", "arrow", {
      points: [
        [0, 0],
        [9, 9],
      ],
      startBinding: binding,
    });
    exchange(ann, bob);
    expect(bob.get("r").boundElements).toEqual([
      { id: "t", type: "text" },
      { id: "a", type: "arrow" },
    ]);
    expect(bob.get("t")).toMatchObject({ x: 5, y: 5, text: "hi" });
    // Only the rectangle is deleted in the document: as after a merge.
    ann.doc.getMap("elements").ensureMergeableMap("r").set("isDeleted", true);
    ann.doc.commit();
    exchange(ann, bob);
    expect([bob.get("a").startBinding, bob.get("t").containerId]).toEqual([null, null]);
    expect(bob.stored("a").startBinding).toEqual(binding);
    ann.doc.getMap("elements").ensureMergeableMap("r").set("isDeleted", false);
    ann.doc.commit();
    exchange(ann, bob);
    expect([bob.get("a").startBinding, bob.get("t").containerId]).toEqual([binding, "r"]);
  });

  test("elements put at the same place by two people get one order for both, unwritten", () => {
    const [ann, bob] = pair();
    ann.add("base", "rectangle");
    exchange(ann, bob);
    ann.add("x", "rectangle");
    bob.add("y", "rectangle");
    exchange(ann, bob);
    expect(ann.scene.map((e) => e.id)).toEqual(["base", "x", "y"]);
    expect(ann.seen()).toEqual(bob.seen());
    expect(ann.stored("x").index).toBe(ann.stored("y").index);
    const before = ann.operations();
    ann.frame();
    bob.frame();
    expect([ann.operations(), bob.operations()]).toEqual([before, before]);
  });

  test("undo does not write over what somebody else wrote since, and does write the rest", () => {
    const [ann, bob] = pair();
    ann.add("r", "rectangle", { strokeColor: "black", x: 0 });
    exchange(ann, bob);
    ann.change("r", { strokeColor: "red", x: 9 });
    const entry = { before: { strokeColor: "black", x: 0 }, after: { strokeColor: "red", x: 9 } };
    ann.shadow.undo.captured(new Map([["r", entry]]));
    exchange(ann, bob);
    bob.change("r", { strokeColor: "blue" });
    exchange(ann, bob);
    ann.change("r", { strokeColor: "black", x: 0 });
    ann.frame(true);
    expect(ann.get("r")).toMatchObject({ strokeColor: "blue", x: 0 });
    exchange(ann, bob);
    expect(bob.get("r")).toMatchObject({ strokeColor: "blue", x: 0 });
    // A change made after the other's may be undone: it goes back to the other's value.
    ann.change("r", { strokeColor: "green" });
    ann.shadow.undo.captured(new Map([["r", { before: { strokeColor: "blue" }, after: { strokeColor: "green" } }]]));
    exchange(ann, bob);
    ann.change("r", { strokeColor: "blue" });
    ann.frame(true);
    exchange(ann, bob);
    expect(bob.get("r").strokeColor).toBe("blue");
  });

  test("after the document was exchanged the scene follows the new one and nothing is written", () => {
    const [ann, bob] = pair();
    ann.add("kept", "rectangle", { x: 1 });
    exchange(ann, bob);
    ann.add("refused", "rectangle");
    ann.change("kept", { x: 2 });
    ann.frame();
    const fresh = new LoroDoc();
    fresh.import(bob.doc.export({ mode: "snapshot" }));
    ann.shadow.attach(fresh);
    const before = fresh.opCount();
    ann.frame();
    ann.frame();
    expect(ann.seen()).toEqual(bob.seen());
    expect(fresh.opCount()).toBe(before);
    ann.change("kept", { x: 3 });
    ann.frame();
    expect(fresh.opCount()).toBe(before + 1);
  });

  test("an element that would spoil the page is set aside, and deleted only by whoever says so", () => {
    const [ann, bob] = [new Editor("ann", 1), new Editor("bob", 2)];
    ann.add("box", "rectangle");
    ann.add("label", "text", { originalText: "words", containerId: "box" });
    exchange(ann, bob);
    expect(bob.shadow.setAside()).toEqual([]);
    const box = ann.doc.getMap("elements").get("box") as LoroMap;
    box.set("hasOwnProperty", 1);
    ann.doc.commit();
    exchange(ann, bob);
    exchange(ann, bob);
    for (const editor of [ann, bob]) {
      expect(editor.shadow.setAside()).toEqual([{ id: "box", type: "rectangle", fault: { property: "hasOwnProperty", kind: "name" } }]);
      expect(editor.get("box").isDeleted).toBe(true);
      expect(editor.get("label")).toMatchObject({ isDeleted: false, containerId: null });
    }
    expect(box.get("isDeleted")).toBe(false);
    const late = new Editor("late", 3);
    late.pull(ann);
    late.frame();
    expect(late.scene.map(({ id }) => id)).toEqual(["label"]);
    late.shadow.deleteSetAside(["box", "label"]);
    late.frame();
    exchange(ann, bob, late);
    expect(box.get("isDeleted")).toBe(true);
    expect(ann.shadow.setAside()).toEqual([]);
    expect(ann.get("label").isDeleted).toBe(false);
  });

  test("what takes too long to draw for one page is set aside, the costliest first, until there is less of it", () => {
    const [ann, bob] = [new Editor("ann", 1), new Editor("bob", 2)];
    // 10,000 strokes each, and two of 19,000.
    const hatched = { width: 600, height: 600, strokeWidth: 0.06, backgroundColor: "red", fillStyle: "cross-hatch" };
    for (let at = 0; at < 198; at++) ann.add(`box${String(at).padStart(3, "0")}`, "rectangle", hatched);
    ann.add("wide", "rectangle", { ...hatched, width: 1_680 });
    ann.add("plain", "rectangle");
    ann.frame();
    bob.pull(ann);
    bob.frame();
    expect(bob.shadow.setAside()).toEqual([]);
    bob.add("wider", "rectangle", { ...hatched, width: 1_690 });
    bob.frame();
    exchange(ann, bob);
    exchange(ann, bob);
    for (const editor of [ann, bob]) {
      expect(editor.shadow.setAside()).toEqual([{ id: "wider", type: "rectangle", fault: { property: "type", kind: "page" } }]);
      expect(editor.scene.some(({ id, isDeleted }) => id === "wider" && !isDeleted)).toBe(false);
      expect(editor.get("plain").isDeleted).toBe(false);
    }
    expect((ann.doc.getMap("elements").get("wider") as LoroMap).get("isDeleted")).toBe(false);
    ann.change("box000", { isDeleted: true });
    ann.change("box001", { fillStyle: "solid" });
    ann.frame();
    exchange(ann, bob);
    for (const editor of [ann, bob]) {
      editor.frame();
      expect(editor.shadow.setAside()).toEqual([]);
      expect(editor.get("wider").isDeleted).toBe(false);
    }
  });

  test("an element that is put right is shown again", () => {
    const [ann, bob] = [new Editor("ann", 1), new Editor("bob", 2)];
    ann.add("box", "rectangle");
    exchange(ann, bob);
    const box = ann.doc.getMap("elements").get("box") as LoroMap;
    box.set("width", 1e9);
    ann.doc.commit();
    exchange(ann, bob);
    expect(bob.get("box").isDeleted).toBe(true);
    box.set("width", 70);
    ann.doc.commit();
    exchange(ann, bob);
    exchange(ann, bob);
    expect(bob.get("box")).toMatchObject({ isDeleted: false, width: 70 });
    expect(box.get("isDeleted")).toBe(false);
  });

  test.each(Array.from({ length: 40 }, (_, seed) => seed))("random editing by three people ends the same (seed %i)", (seed) => {
    const random = new Random(seed);
    const editors = [new Editor("ann", 1), new Editor("bob", 2), new Editor("cy", 3)];
    const typed = new Set<string>();
    let made = 0;
    for (let step = 0; step < 120; step++) {
      const editor = random.pick(editors);
      const other = random.pick(editors);
      const element = editor.scene.length > 0 ? random.pick(editor.scene) : undefined;
      const act = random.below(10);
      if (!element || act === 0) {
        const type = random.pick(["rectangle", "text", "arrow"]);
        const target = element && element.type === "rectangle" ? element.id : undefined;
        editor.add(`${editor.name}${made++}`, type, {
          ...(type === "text" ? { originalText: "", containerId: random.chance(0.5) ? (target ?? null) : null } : {}),
          ...(type === "arrow" && target
            ? {
                points: [
                  [0, 0],
                  [1, 1],
                ],
                endBinding: { elementId: target, fixedPoint: [0, 0], mode: "orbit" },
              }
            : {}),
        });
        // What is deleted before it was ever written is never written at all.
        editor.shadow.takeLocal(editor.scene);
      } else if (act <= 2) {
        editor.change(element.id, { [random.pick(["x", "y", "strokeWidth", "opacity"])]: random.below(100) });
      } else if (act === 3) {
        editor.change(element.id, { isDeleted: random.chance(0.5) });
      } else if (act <= 5 && element.type === "text") {
        const letter = String.fromCodePoint(0x4e00 + typed.size);
        const text = element.originalText as string;
        const at = random.below(text.length + 1);
        typed.add(letter);
        editor.change(element.id, { originalText: text.slice(0, at) + letter + text.slice(at) });
      } else if (act === 6) {
        editor.busy = random.chance(0.5) ? new Set([element.id]) : new Set();
      } else if (act === 7) {
        editor.frame();
      } else if (other !== editor) {
        other.frame();
        editor.pull(other);
      }
    }
    editors.forEach((editor) => editor.busy.clear());
    exchange(...editors);
    exchange(...editors);
    const [ann, ...others] = editors as [Editor, Editor, Editor];
    for (const editor of others) {
      expect(editor.doc.toJSON()).toEqual(ann.doc.toJSON());
      expect(editor.seen()).toEqual(ann.seen());
    }
    const late = new Editor("late", 9);
    late.pull(ann);
    late.frame();
    expect(late.seen()).toEqual(ann.seen());
    const all = JSON.stringify(ann.doc.toJSON());
    expect([...typed].filter((letter) => !all.includes(letter))).toEqual([]);
  });
});

describe("an element that cannot be made ready for the editor", () => {
  test("is set aside and named, and the others are shown", () => {
    const fussy: TextLayout = (text, container) => {
      if (text.originalText === "bad") throw new Error("no glyphs");
      return layout(text, container);
    };
    const [a, b] = [new Editor("a", 1), new Editor("b", 2, { layout: fussy, broken: new Set(["known"]) })];
    a.add("good", "rectangle");
    a.add("bad", "text", { originalText: "bad" });
    a.add("known", "rectangle");
    a.add("words", "text", { originalText: "fine" });
    a.frame();
    b.pull(a);
    b.frame();
    expect(b.scene.map(({ id }) => id)).toEqual(["good", "words"]);
    expect(b.shadow.setAside().map(({ id, fault }) => [id, fault.kind])).toEqual([
      ["bad", "broken"],
      ["known", "broken"],
    ]);
  });
});
