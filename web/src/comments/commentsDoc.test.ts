import { LoroDoc } from "loro-crdt";
import { expect, it } from "vitest";
import { addComment, commentId, deleteComment, readComments, resolveComment, rewordComment, threadsOf } from "./commentsDoc";

const said = (text: string, parent: string | null = null) => ({
  author: "person:ann",
  authorName: "Ann",
  element: null,
  x: 10,
  y: 20,
  parent,
  text,
});

it("keeps what was said, where and by whom, and answers under it", () => {
  const doc = new LoroDoc();
  const first = addComment(doc, said("Too small?"), 1);
  const answer = addComment(doc, said("Yes", first), 2);
  const later = addComment(doc, said("Another"), 3);
  resolveComment(doc, first, true);
  const [newest, oldest] = threadsOf(readComments(doc));
  expect(newest).toMatchObject({ id: later, replies: [] });
  expect(oldest).toEqual({
    id: first,
    ...said("Too small?"),
    createdAt: 1,
    resolved: true,
    replies: [{ id: answer, ...said("Yes", first), createdAt: 2, resolved: false }],
  });
  expect(commentId()).toMatch(/^cm_[a-z0-9]{12}$/);
});

it("a deleted comment takes its answers with it", () => {
  const doc = new LoroDoc();
  const first = addComment(doc, said("Gone soon"), 1);
  addComment(doc, said("Me too", first), 2);
  deleteComment(doc, first);
  expect(threadsOf(readComments(doc))).toEqual([]);
});

it("two hands in one comment both keep their words", () => {
  const one = new LoroDoc();
  const id = addComment(one, said("small box"), 1);
  const two = LoroDoc.fromSnapshot(one.export({ mode: "snapshot" }));
  rewordComment(one, id, "too small box");
  rewordComment(two, id, "small box!");
  one.import(two.export({ mode: "update" }));
  two.import(one.export({ mode: "update" }));
  expect(readComments(one)[0]?.text).toBe("too small box!");
  expect(readComments(two)).toEqual(readComments(one));
});
