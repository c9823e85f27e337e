/** The JSON the server speaks, as the studio calls it; the rest of it is in `schema.ts`. */
import type { ProjectShown, Snapshot } from "./schema";

export type {
  Changed as RunChange,
  Fairy,
  FairyChange,
  Found,
  LeftInPlace as KeptThing,
  Page,
  RunPart,
  Permission,
  Person,
  Point,
  ProjectStatus,
  Rect,
  Reopened as ReopenResult,
  Run,
  RunStatus,
  Scope as FairyScope,
  Session,
  Step as RunStep,
  Task,
  TaskChange,
  TaskStatus,
  Todo,
  Undone as UndoResult,
  Why,
} from "./schema";

/** Several fairies at one piece of work, led by one of them. */
export type Project = ProjectShown;
export type Workspace = Snapshot;
