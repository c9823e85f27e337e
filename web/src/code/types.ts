import type { UIMessage } from "ai";
import type { Run } from "../api/types";
import type { MessageMetadata } from "../chat/message";

/** The JSON of `/api/code`, as the studio reads it. */

/** What went wrong in a chat, in kinds that a person can act on. */
export interface Failure {
  kind: string;
  message: string;
  retryAfterMs?: number;
}

export interface CodeChat {
  id: string;
  title: string;
  createdAt: number;
  changedAt: number;
  running: string | null;
  error: Failure | null;
  /** What may be written without asking. */
  allowed: Grant[];
}

export interface Overview {
  name: string;
  path?: string;
  chats: CodeChat[];
  runs: Run[];
}

export interface Entry {
  path: string;
  type: "file" | "directory";
}

export interface Listing {
  files: Entry[];
  totalFiles: number;
  truncated: boolean;
}

export interface FileShown {
  path: string;
  /** Null for what is no text. */
  text: string | null;
  sha256: string;
  /** The run that wrote each line, if it was one. */
  authors: (string | null)[];
}

export type Diff = { text: string } | { omitted: string };

export interface FileChange {
  path: string;
  before: string | null;
  after: string | null;
  pending: boolean;
  /** Lines `[from, to)` before and after. */
  hunks: { old: [number, number]; new: [number, number] }[];
  diff: Diff;
}

/** A part of a run: whole files, or places of files by their numbers. */
export interface Part {
  files?: string[];
  hunks?: Record<string, number[]>;
}

/** How far a yes reaches. */
export type Reach = { scope: "once" | "run" | "chat" } | { scope: "paths"; paths: string[] };

/** What is done to a file: a yes to one is no yes to the others. */
export type ChangeKind = "create" | "edit" | "delete";

/** A yes that lasts. */
export type Grant = Reach & { kind: ChangeKind; run: string; within?: string[] };

export type CodeMetadata = MessageMetadata & { error?: Failure; model?: string };

export type CodeMessage = UIMessage<
  CodeMetadata,
  { approval: { call: string; path: string; diff: Diff }; call: { durationMs: number; code?: string } }
>;
