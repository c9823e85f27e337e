import type { UIMessage } from "ai";
import type { Failure, UnifiedDiff } from "../api/schema";
import type { MessageMetadata } from "../chat/message";

/** The JSON of `/api/code`, as the studio reads it. */

export type {
  Chat as CodeChat,
  Decision as Answer,
  ChangeKind,
  Entry,
  File as FileShown,
  FileChange,
  Grant,
  Listing,
  Overview,
  RunPart as Part,
  Reach,
  UnifiedDiff as Diff,
} from "../api/schema";
export type { Failure };

export type CodeMetadata = MessageMetadata & {
  model?: string;
  /** The fairy that answered. */
  fairy?: string | null;
};

export type CodeMessage = UIMessage<
  CodeMetadata,
  { approval: { call: string; path: string; diff: UnifiedDiff }; call: { durationMs: number; code?: string } }
>;
