import { LoroDoc } from "loro-crdt";
import { expect, it } from "vitest";
import { MemoryStorage, type OutboxEntry } from "./storage";
import type { Author } from "./types";
import { claimUnsent, copyOf, unsentBeside } from "./unsent";

const ann: Author = { subject: "person:ann", name: "Ann", session: "s1" };
const again: Author = { ...ann, session: "s2" };
const ben: Author = { subject: "person:ben", name: "Ben", session: "s3" };

const entry = (peer: string, by?: Author, page = "pg_a"): OutboxEntry => ({
  page,
  peer,
  seq: 1,
  blob: new Uint8Array(),
  attempt: 0,
  ...(by ? { by } : {}),
});

it("changes of others, of an earlier sign-in and of nobody are told apart from one's own", () => {
  const [mine, before, bens, more, nobodys] = [entry("1", ann), entry("2", again), entry("3", ben), entry("4", ben, "pg_b"), entry("5")];
  expect(unsentBeside(ann, [mine, before, bens, more, nobodys])).toEqual([
    { by: again, entries: [before] },
    { by: ben, entries: [bens, more] },
    { by: null, entries: [nobodys] },
  ]);
  expect(unsentBeside(null, [mine])).toEqual([{ by: ann, entries: [mine] }]);
});

it("only their own person takes changes over", async () => {
  const storage = new MemoryStorage();
  const before = entry("2", ann);
  await storage.put(before);
  await expect(claimUnsent(storage, { by: ann, entries: [before] }, ben)).rejects.toThrow("somebody else's");
  await expect(claimUnsent(storage, { by: null, entries: [before] }, ben)).rejects.toThrow("somebody else's");
  expect(await storage.list()).toEqual([before]);
  await claimUnsent(storage, { by: ann, entries: [before] }, again);
  expect(await storage.list()).toEqual([{ ...before, by: again }]);
});

it("a copy holds what was changed of elements, blocks and comments, those that were there before included", () => {
  const doc = new LoroDoc();
  const box = doc.getMap("elements").ensureMergeableMap("box");
  box.set("x", 1);
  box.ensureMergeableText("originalText").insert(0, "");
  doc.commit();
  const known = doc.oplogVersion();
  box.set("y", 2);
  box.ensureMergeableText("originalText").insert(0, "hi");
  doc.getMap("doc").ensureMergeableMap("bk").ensureMergeableText("originalText").insert(0, "words");
  doc.getMap("comments").ensureMergeableMap("c").set("text", "why");
  doc.commit();
  const ops = doc.exportJsonUpdates(known).changes;
  const copy = copyOf({ by: ann, entries: [{ ...entry("1", ann), ops }] }, new Date(0));
  expect(copy).toEqual({
    by: "Ann",
    at: "1970-01-01T00:00:00.000Z",
    pages: {
      pg_a: {
        elements: { box: { y: 2, originalText: "hi" }, bk: { originalText: "words" } },
        comments: { c: { text: "why" } },
        operations: ops,
      },
    },
  });
});
