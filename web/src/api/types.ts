/** The JSON the server speaks, as the studio reads it. */

export type Permission = "read" | "write";

export interface Session {
  subject: string;
  name: string;
  permission: Permission;
  /** All that this key may do: `read`, `comment`, `suggest`, `edit`, `command`. */
  ops?: string[];
  /** What it may do in the code project: `read`, `command` (ask), `edit` (approve, keep, undo). */
  project?: string[];
  /** What it is limited to: `pages`, `tiers`, `tools`, `region`, `paths`. */
  limits?: string[];
  /** The server's id of the session: another for every time that somebody signs in. */
  session?: string;
  /** The part of pages that it may write in. */
  region?: Rect;
}

export interface Point {
  x: number;
  y: number;
}

export interface Rect extends Point {
  w: number;
  h: number;
}

export interface Page {
  id: string;
  name: string;
  kind: "canvas" | "text";
  tier: string;
  position: number;
}

export interface Fairy {
  id: string;
  name: string;
  mode: string;
  page: string;
  model: string;
  modelLabel: string;
  sign?: string;
  hat: string;
  hatColor: string;
  color: string;
  position: Point;
  personality?: string;
  planFirst?: boolean;
  keepAtOnce?: boolean;
  scope?: FairyScope | null;
  todos: Todo[];
  tasks: unknown[];
  runs: string[];
}

/** Where and how a fairy may work, beyond what its maker may. */
export interface FairyScope {
  pages?: string[] | null;
  region?: Rect | null;
  actions?: string[] | null;
  expiresAt?: number | null;
}

/** What can be set about a fairy; what is left out stays, or is chosen for a new one. */
export interface FairyChange {
  name?: string;
  model?: string;
  page?: string;
  sign?: string;
  hat?: string;
  hatColor?: string;
  color?: string;
  personality?: string;
  planFirst?: boolean;
  keepAtOnce?: boolean;
  scope?: FairyScope | null;
}

export interface Person {
  subject: string;
  name: string;
  online: boolean;
}

export type RunStatus = "running" | "pending" | "kept" | "undone" | "cancelled" | "failed";

export interface RunStep {
  index: number;
  model: string;
  startedAt: string | number;
  endedAt: string | number | null;
  inputTokens: number;
  outputTokens: number;
  error?: string | null;
}

export interface Run {
  id: string;
  /** Empty for what somebody drew who may only suggest. */
  fairy: string;
  /** Whose work it is, as a subject. */
  author?: string;
  status: RunStatus;
  page: string;
  message: string;
  startedAt: string | number;
  endedAt: string | number | null;
  cost: { inputTokens: number; outputTokens: number; usd: number };
  steps: RunStep[];
  elements: string[];
  settled: boolean;
  error?: string | null;
}

export type TaskStatus = "todo" | "in-progress" | "done";

/** Something to be done on a page, by a fairy or whoever takes it up. */
export interface Task {
  id: string;
  title: string;
  text: string;
  page: string;
  bounds: Rect | null;
  status: TaskStatus;
  assignee: string | null;
  /** The project that it belongs to. */
  project: string | null;
  createdBy: string;
  createdAt: number;
  position: number;
}

export type TaskChange = Partial<Pick<Task, "title" | "text" | "page" | "bounds" | "status" | "assignee" | "position">>;

export type ProjectStatus = "active" | "done" | "aborted" | "disbanded" | "failed";

/** Several fairies at one piece of work, led by one of them. */
export interface Project {
  id: string;
  name: string;
  description: string;
  color: string;
  plan: string | null;
  page: string;
  status: ProjectStatus;
  members: { fairy: string; role: "orchestrator" | "duo-orchestrator" | "drone" }[];
  /** When those left who are its members no more. */
  former: Record<string, number>;
  createdAt: number;
  endedAt: number | null;
  cost: Run["cost"] | null;
  /** The ids of its tasks. */
  tasks: string[];
  summary?: string | null;
}

export interface Workspace {
  id: string;
  pages: Page[];
  fairies: Fairy[];
  people: Person[];
  tasks: Task[];
  projects: Project[];
  runs: Run[];
  /** The names of the plugins of text pages that are switched off. */
  pluginsOff: string[];
  /** Rows that cannot be read and are set aside; only the owner is told. */
  unreadable?: { table: string; key: string; column: string; reason: string }[];
  /** The folder that the server was started with; its runs have the page `code`. */
  code?: { name: string } | null;
}

/** The runs that touched an element, oldest first; the property `""` is the element itself, made or deleted. */
export interface Why {
  element: string;
  runs: { run: Run; properties: string[] }[];
}

/** One thing a run changed, as it was before; the property `""` is the element itself. */
export interface RunChange {
  action: number;
  element: string;
  property: string;
  created: boolean;
  /** It only follows from something else. */
  derived: boolean;
  before?: unknown;
  /** Of words on a text page; places are Loro cursors in base64. */
  words?: {
    /** The first and the last character of what it typed. */
    typed: { from: string; to: string }[];
    /** What it took out, and the character that this stood behind; none at the beginning. */
    removed: { text: string; after?: string }[];
  };
}

/** A part of a run: some of its elements, or what one action did to them. */
export interface RunPart {
  elements?: string[];
  action?: number;
}

/** A place where words were found. */
export interface Found {
  page: string;
  pageName: string;
  element: string;
  text: string;
}

/** One line of a fairy's own list of what it means to do. */
export interface Todo {
  id: string | number;
  status: "todo" | "in-progress" | "done";
  text: string;
}

/** One thing an undo left alone, because someone else had changed it since. */
export interface KeptThing {
  what: string;
  property?: string | null;
  by: string;
  /** Of a file: why it stayed. */
  why?: string;
  /** The lines that two changed: before the run, after it, and now. */
  clash?: { line: number; before: string; after: string; now: string };
}

export interface UndoResult {
  undone: number;
  kept: KeptThing[];
}
