import { describe, expect, it } from "vitest";
import { requestBody } from "./createChat";
import { blocks, clock, oneLine, plainText, type ActionData, type FairyMessage } from "./message";
import { describeReopening, describeUndo } from "./undo";

const action = (n: number, state: ActionData["state"], label: string): FairyMessage["parts"][number] => ({
  type: "data-action",
  id: `run_a:${n}`,
  data: { action: n, name: "create", state, label, elements: [`e${n}`], icon: "✏️" },
});

const message = (...parts: FairyMessage["parts"]): FairyMessage => ({
  id: "msg_a",
  role: "assistant",
  parts,
  metadata: { run: "run_a" },
});

describe("blocks", () => {
  it("put neighbouring actions together, and keep the order of everything", () => {
    const told = blocks(
      message(
        { type: "step-start" },
        { type: "reasoning", text: "Three boxes.", state: "done" },
        action(1, "done", "drew Order"),
        action(2, "done", "drew Pay"),
        { type: "text", text: "Two so far." },
        action(3, "refused", "draw Ship"),
      ),
      true,
    );
    expect(told.map(({ kind }) => kind)).toEqual(["thought", "actions", "text", "actions"]);
    expect(told[1]).toEqual({
      kind: "actions",
      key: "data-action-2",
      actions: [1, 2].map((n) => ({
        key: `run_a:${n}`,
        name: "create",
        action: n,
        icon: "✏️",
        label: n === 1 ? "drew Order" : "drew Pay",
        state: "done",
        elements: [`e${n}`],
        tookMs: null,
      })),
    });
  });

  it("call a half-made action stopped once its stream is over", () => {
    const half = message(action(1, "partial", "drawing Order"));
    const state = (live: boolean) => {
      const [block] = blocks(half, live);
      return block?.kind === "actions" ? block.actions[0]?.state : undefined;
    };
    expect(state(true)).toBe("partial");
    expect(state(false)).toBe("stopped");
  });

  it("show no empty words and open only the thought that is being thought", () => {
    const parts = message({ type: "text", text: "  " }, { type: "reasoning", text: "Hm", state: "streaming" });
    expect(blocks(parts, true)).toEqual([{ kind: "thought", key: "reasoning-1", text: "Hm", open: true }]);
    expect(blocks(parts, false)).toEqual([{ kind: "thought", key: "reasoning-1", text: "Hm", open: false }]);
  });
});

describe("words", () => {
  it("are a message's text parts", () => {
    expect(plainText(message({ type: "text", text: "a" }, action(1, "done", "x"), { type: "text", text: "b" }))).toBe("a\nb");
  });

  it("fit one line, cut at a word where there is one", () => {
    expect(oneLine("  Draw\n a   flow ", 20)).toBe("Draw a flow");
    expect(oneLine("Draw a flow: Order -> Pay", 16)).toBe("Draw a flow:…");
    expect(oneLine("Donaudampfschifffahrt", 10)).toBe("Donaudamp…");
  });

  it("carry the time of day, and the day when it was another", () => {
    const noon = new Date(2026, 4, 3, 12, 5);
    expect(clock(noon.getTime(), noon, "en-GB")).toBe("12:05");
    expect(clock(noon.getTime(), new Date(2026, 4, 4), "en-GB")).toContain("3 May");
    expect(clock(undefined, noon)).toBeNull();
    expect(clock("soon", noon)).toBeNull();
  });
});

describe("a request", () => {
  it("holds only the newest message, and where it was said", () => {
    const earlier = { ...message({ type: "text", text: "old" }), id: "msg_1" };
    const newest = { ...message({ type: "text", text: "new" }), id: "msg_2" };
    const context = { page: "pg_a", bounds: { x: 0, y: 0, w: 100, h: 50 }, selection: ["e1"] };
    expect(requestBody("fy_a", [earlier, newest], "submit-message", context)).toEqual({
      id: "fy_a",
      messages: [newest],
      trigger: "submit-message",
      ...context,
    });
  });
});

describe("an undo", () => {
  const shape = (id: string) => id.replace(/-label$/, "");
  const name = (subject: string) => ({ "person:me": "you", "person:ada": "Ada" })[subject] ?? subject;

  it("says what stayed and for whom, counting shapes and not properties", () => {
    const kept = [
      { what: "e1", property: "backgroundColor", by: "person:me" },
      { what: "e1", property: "strokeColor", by: "person:me" },
      { what: "e1-label", property: "originalText", by: "person:me" },
      { what: "e2", by: "person:ada" },
      { what: "e3", by: "person:ada" },
    ];
    expect(describeUndo({ undone: 4, kept }, name, shape)).toBe(
      "Undone. 1 shape stayed because you changed it. 2 shapes stayed because Ada changed them.",
    );
  });

  it("is plain when nothing stayed, and when there was nothing", () => {
    expect(describeUndo({ undone: 3, kept: [] }, name, shape)).toBe("Undone.");
    expect(describeUndo({ undone: 0, kept: [] }, name, shape)).toBe("There was nothing left to undo.");
  });

  it("that is taken back says what came back and what stayed", () => {
    const kept = [{ what: "e2", property: "x", by: "person:ada" }];
    expect(describeReopening({ reopened: 2, kept }, name, shape)).toBe(
      "Brought back: keep it or undo it. 1 shape stayed because Ada changed it.",
    );
    expect(describeReopening({ reopened: 0, kept: [] }, name, shape)).toBe("Nothing came back.");
  });
});
