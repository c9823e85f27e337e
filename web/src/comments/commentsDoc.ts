import type { LoroDoc, LoroMap } from "loro-crdt";
import { diffText } from "../canvas/textDelta";

/** The page's second root: comment id → mergeable map of registers, and `text` as a mergeable text. */
const ROOT = "comments";
const TEXT = "text";

export interface Comment {
  id: string;
  author: string;
  authorName: string;
  createdAt: number;
  /** The shape it is pinned to, or null. */
  element: string | null;
  /** A point of the page, or the offset from the shape's top left. */
  x: number;
  y: number;
  parent: string | null;
  resolved: boolean;
  text: string;
}

/** A pinned comment with what was answered, oldest first. */
export interface Thread extends Comment {
  replies: Comment[];
}

export type NewComment = Pick<Comment, "author" | "authorName" | "element" | "x" | "y" | "parent" | "text">;

const LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

export function commentId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `cm_${Array.from(bytes, (byte) => LETTERS[byte % LETTERS.length]).join("")}`;
}

function isMap(value: unknown): value is LoroMap {
  return typeof value === "object" && value !== null && "kind" in value && (value as LoroMap).kind() === "Map";
}

const text = (value: unknown) => (typeof value === "string" ? value : "");
const number = (value: unknown) => (typeof value === "number" && Number.isFinite(value) ? value : 0);
const name = (value: unknown) => (typeof value === "string" && value ? value : null);

/** All comments that are not deleted. What a stranger's client left out reads as nothing said. */
export function readComments(doc: LoroDoc): Comment[] {
  const root = doc.getMap(ROOT);
  return root.keys().flatMap((id) => {
    const map = root.get(id);
    if (!isMap(map)) return [];
    const raw = map.toJSON() as Record<string, unknown>;
    if (raw.isDeleted === true) return [];
    return {
      id,
      author: text(raw.author),
      authorName: text(raw.authorName),
      createdAt: number(raw.createdAt),
      element: name(raw.element),
      x: number(raw.x),
      y: number(raw.y),
      parent: name(raw.parent),
      resolved: raw.resolved === true,
      text: text(raw[TEXT]),
    };
  });
}

/** Comments as conversations, newest first. An answer to something deleted went with it. */
export function threadsOf(comments: readonly Comment[]): Thread[] {
  const byTime = (a: Comment, b: Comment) => a.createdAt - b.createdAt || a.id.localeCompare(b.id);
  return comments
    .filter(({ parent }) => parent === null)
    .sort((a, b) => byTime(b, a))
    .map((first) => ({ ...first, replies: comments.filter(({ parent }) => parent === first.id).sort(byTime) }));
}

export function addComment(doc: LoroDoc, comment: NewComment, now: number): string {
  const id = commentId();
  const map = doc.getMap(ROOT).ensureMergeableMap(id);
  const { text: words, ...registers } = comment;
  for (const [key, value] of Object.entries({ ...registers, createdAt: now, resolved: false, isDeleted: false })) {
    map.set(key, value);
  }
  map.ensureMergeableText(TEXT).insert(0, words);
  doc.commit();
  return id;
}

function change(doc: LoroDoc, id: string, key: "resolved" | "isDeleted", value: boolean): void {
  doc.getMap(ROOT).ensureMergeableMap(id).set(key, value);
  doc.commit();
}

export const resolveComment = (doc: LoroDoc, id: string, resolved: boolean) => change(doc, id, "resolved", resolved);
export const deleteComment = (doc: LoroDoc, id: string) => change(doc, id, "isDeleted", true);

/** Rewording is diffing: what is typed at the same time elsewhere stays. */
export function rewordComment(doc: LoroDoc, id: string, words: string): void {
  const content = doc.getMap(ROOT).ensureMergeableMap(id).ensureMergeableText(TEXT);
  const delta = diffText(content.toString(), words);
  if (delta.length === 0) return;
  content.applyDelta(delta);
  doc.commit();
}
