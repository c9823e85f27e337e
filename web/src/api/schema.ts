// Made from the OpenAPI document by `cargo xtask types`. Not to be edited by hand.

/** What to leave of the caller's rights, and what to call the token. */
export type Attenuate = NarrowerRequest & { label?: string | null };

export type Begun = { run: string | null };

/** What a project may use. Reaching a limit ends it, with a word on what was done. */
export type Budget = { steps?: number; tokens?: number; usd?: number };

/** What a change does to its file. */
export type ChangeKind = "create" | "edit" | "delete" | "move";

/** One thing that a run changed, as it was before. */
export type Changed = { action: number; before?: unknown; created: boolean; derived: boolean; element: string; property: string; words?: WordsChanged | null };

/** A chat, as people see it. */
export type Chat = { allowed: Grant[]; changedAt: number; createdAt: number; error: Failure | null; fairy: string | null; id: string; running: string | null; title: string };

/** A place that was left as it is, because undoing it would have been a guess. */
export type Clash = { after: string; before: string; line: number; now: string };

/** The code project as a workspace names it; `/api/code` has the rest. */
export type CodeFolder = { name: string };

export type Cost = { inputTokens: number; outputTokens: number; usd: number };

/** A person's answer. */
export type Decision = { allow: boolean; approvalId: string; reach?: Reach | null; reason?: string | null };

export type ElementChange = { id: string; props: Record<string, unknown> };

/** A file or a folder. */
export type Entry = { path: string; type: EntryKind };

export type EntryKind = "file" | "directory";

/** What went wrong and what to do about it. */
export type Failure = { kind: FailureKind; message: string; retryAfterMs?: number | null };

/** Failures told apart by what a person can do. */
export type FailureKind = "auth" | "plan-limit" | "credits" | "timeout" | "depth" | "generic";

export type Fairy = FairySettings & { color: string; hat: string; hatColor: string; id: string; mode: string; model: string; modelLabel: string; name: string; page: string; position: Point; runs: string[]; sign: string; tasks: (Record<string, unknown>)[]; todos: Todo[] };

/** What is to be so of a fairy; what is left out stays, or is filled in for a new one. */
export type FairyChange = { color?: string | null; hat?: string | null; hatColor?: string | null; keepAtOnce?: boolean | null; limits?: Limits | null; model?: string | null; name?: string | null; page?: string | null; personality?: string | null; planFirst?: boolean | null; scope?: Scope | null; sign?: string | null };

/** What people set about a fairy, beside how it looks. */
export type FairySettings = { keepAtOnce: boolean; limits: Limits; personality: string; planFirst: boolean; scope: Scope };

export type File = { authors: (string | null)[]; path: string; sha256: string; text: string | null };

/** What a run did to one file: what of it still waits, or all of it once nothing does. */
export type FileChange = { after: string | null; before: string | null; diff: UnifiedDiff; hunks: FileHunk[]; movedFrom?: string | null; path: string; pending: boolean };

export type FileHunk = { new: [number, number]; old: [number, number] };

/** A place where words stand. */
export type Found = { element: string; page: string; pageName: string; text: string };

/** One "yes". */
export type Grant = Reach & { kind: ChangeKind; run: string; within?: string[] | null };

export type History = { id: string; messages: (Record<string, unknown>)[] };

export type Imported = { deleted: number; elements: string[]; imported: number; notes: string[] };

export type Interrupt = { input?: Question | null; mode?: Mode | null };

/** Where a provider's key comes from. */
export type KeyFrom = "none" | "settings" | "file" | "command" | "environment";

export type LeftInPlace = { by: string; clash?: Clash | null; property?: string | null; what: string; why?: string | null };

/** What one run may cost. Reaching a limit ends the run with a word to the person. */
export type Limits = { steps?: number; tokens?: number; usd?: number };

/** A token that was handed on. The token itself is not kept anywhere. */
export type Link = { createdAt: number; expiresAt: number | null; id: string; label: string; ops: Op[]; pages: string[] | null; paths: string[] | null; project: Op[]; region: Rect | null; revoked: boolean; subject: string; tiers: string[] | null; tools: string[] | null };

export type Listing = { files: Entry[]; totalFiles: number; truncated: boolean };

export type Member = { fairy: string; role: Role };

export type Mode = "idling" | "sleeping" | "one-shotting" | "pausing" | "soloing" | "working-solo" | "working-drone" | "working-orchestrator" | "standing-by" | "orchestrating-active" | "orchestrating-waiting" | "duo-orchestrating-active" | "duo-orchestrating-waiting";

/** A change to one provider's settings, a test of a model, or both, in this order. */
export type ModelChange = { baseUrl?: string | null; key?: string | null; models?: string[] | null; provider?: string | null; sees?: Record<string, boolean | null> | null; test?: string | null };

export type ModelList = { default: string; models: ModelShown[]; providers: ProviderShown[]; test: TestResult | null };

export type ModelShown = { label: string; name: string; sees: boolean };

/** A [`Narrower`] as the HTTP interface takes it. An unknown field is an error: ignoring a limit would make a wider token than was asked for. */
export type NarrowerRequest = { expiresIn?: number | null; ops?: Op[] | null; pages?: string[] | null; paths?: string[] | null; project?: ProjectRequest | null; region?: Region | null; subject?: string | null; tiers?: string[] | null; tools?: string[] | null };

export type NewEvent = { data?: Record<string, unknown>; name: string };

export type NewPage = { kind: PageKind; name: string; tier?: string | null };

export type NewProject = { bounds?: Rect | null; budget?: Budget | null; fairies: string[]; message: string; page: string };

export type NewTask = { assignee?: string | null; bounds?: Rect | null; page: string; status?: TaskStatus; text?: string; title: string };

/** Somebody else is signed in with this browser. */
export type Occupied = Problem & { current: Session; offered: Session };

/** What can be done with a page. */
export type Op = "read" | "comment" | "suggest" | "edit" | "command";

export type Open = { key: string; replace?: boolean };

export type Overview = { chats: Chat[]; name: string; path?: string | null; runs: Run[] };

/** Whose a run is, as clients see it. */
export type OwnerShown = { author: string; fairy: string };

export type Page = { id: string; kind: PageKind; name: string; position: number; tier: string };

/** What is to be different; what is left out stays. */
export type PageChange = { name?: string | null; position?: number | null; tier?: string | null };

/** What a page is made of. */
export type PageKind = "canvas" | "text";

/** Whether a session may edit. */
export type Permission = "read" | "write";

/** A person as one viewer sees them. */
export type Person = { lastSeen?: number | null; name: string; online: boolean; ops: Op[]; page: string | null; subject: string };

export type Plugin = { about: string; always: boolean; blocks: string[]; editor: string[]; enabled: boolean; marks: string[]; name: string; tools: string[] };

export type PluginChange = { embedHosts?: string[] | null; enabled?: Record<string, boolean> };

export type Plugins = { embedHosts: string[]; plugins: Plugin[] };

export type Point = { x: number; y: number };

/** What went wrong with a request, in the shape every endpoint answers with. */
export type Problem = { code?: string | null; detail: string; status: number; title: string; type: string };

/** `true`: what `ops` leave, as far as it means something in the code project; or its own list. */
export type ProjectRequest = boolean | Op[];

/** A project as people see it. */
export type ProjectShown = { awaited: string[]; budget: Budget; color: string; cost: Cost; createdAt: number; description: string; endedAt: number | null; former: Record<string, number>; id: string; members: Member[]; message: string; name: string; page: string; plan: string; status: ProjectStatus; summary?: string | null; tasks: string[]; waits: Wait[] };

export type ProjectStatus = "active" | "done" | "aborted" | "disbanded" | "failed";

export type ProviderShown = { baseUrl: string; key: KeyFrom; models: string[]; name: string };

/** What a run is asked to do. */
export type Question = { bounds?: Rect | null; contextItems?: (Record<string, unknown>)[]; data?: (Record<string, unknown>)[]; message?: string; model?: string | null; page?: string | null; parts?: string[] | null; selection?: string[] };

/** How far a "yes" reaches. */
export type Reach = { scope: "once" } | { scope: "run" } | { scope: "chat" } | { paths: string[]; scope: "paths" };

/** A file as the editor reads it. */
export type Readable = { notes: string[]; scene: Record<string, unknown> };

/** An upright rectangle. `w` and `h` are never negative when made by this module. */
export type Rect = { h: number; w: number; x: number; y: number };

/** How a region is written elsewhere. */
export type Region = { h: number; w: number; x: number; y: number };

export type Removed = { after?: string | null; text: string };

export type Rename = { name: string };

export type Reopened = { kept: LeftInPlace[]; reopened: number };

export type Revoke = { id?: string | null; token?: string | null };

/** What a member is in its project. */
export type Role = "orchestrator" | "duo-orchestrator" | "drone";

/** All that one message to a fairy set off, or what somebody drew who may only suggest: the unit that people keep and undo. */
export type Run = OwnerShown & { cost: Cost; elements: string[]; endedAt: number | null; error?: string | null; id: string; message: string; page: string; settled: boolean; startedAt: number; status: RunStatus; steps: Step[] };

/** A part of a run. What it does not know is refused: misread, it would be the whole run. */
export type RunPart = { action?: number | null; blocks?: string[] | null; elements?: string[] | null; files?: string[] | null; hunks?: Record<string, number[]> | null };

/** Where a run stands. */
export type RunStatus = "running" | "pending" | "kept" | "undone" | "cancelled" | "failed";

/** The limits of a fairy: each that is absent limits nothing. They are a capability, which the room asks for every change. */
export type Scope = { actions?: string[] | null; expiresAt?: number | null; pages?: string[] | null; paths?: string[] | null; range?: TextRange | null; region?: Rect | null };

export type Selected = { elements: string[] };

export type Send = Question & { id: string; messageId?: string | null; messages: (Record<string, unknown>)[]; trigger?: string | null };

/** Who this session is, and whether it may write. */
export type Session = { limits: string[]; name: string; ops: Op[]; permission: Permission; project: Op[]; region?: Rect | null; session?: string | null; subject: string };

/** A browser that is signed in. */
export type SignedIn = { client: string; createdAt: number; current: boolean; id: string; lastSeen: number; name: string; subject: string };

/** Everything in a workspace that a client may see. */
export type Snapshot = { code: CodeFolder | null; fairies: Fairy[]; id: string; pages: Page[]; people: Person[]; pluginsOff: string[]; projects: ProjectShown[]; runs: Run[]; tasks: Task[]; unreadable?: Unreadable[] };

/** A place in the words of a block. */
export type Spot = { at?: string | null; block: string; offset?: number | null };

/** One request to a model. */
export type Step = { endedAt: number | null; error?: string | null; index: number; inputTokens: number; model: string; outputTokens: number; startedAt: number };

/** One request to a model, with all that was said. */
export type StepInFull = { answer: string; endedAt: number | null; error?: string | null; index: number; inputTokens: number; model: string; outputTokens: number; prompt: unknown; run: string; startedAt: number };

export type StoredPicture = { contentType: string; id: string; size: number };

export type Summons = { page: string; position?: Point | null };

/** What is allowed no more. */
export type TakenBack = Reach & { kind?: ChangeKind | null };

/** Something to be done. */
export type Task = { assignee: string | null; bounds: Rect | null; createdAt: number; createdBy: string; id: string; page: string; position: number; project: string | null; status: TaskStatus; text: string; title: string };

/** What is to be different; what is left out stays. `null` takes bounds or assignee away. */
export type TaskChange = { assignee?: string | null; bounds?: Rect | null; page?: string | null; position?: number | null; status?: TaskStatus | null; text?: string | null; title?: string | null };

export type TaskStatus = "todo" | "in-progress" | "done";

export type TestResult = { detail: string; model: string; ok: boolean; sees?: boolean | null };

/** A part of a text page, as people set it and as it is kept. */
export type TextRange = { from: Spot; page: string; to: Spot };

export type Tidied = { changes: ElementChange[] };

export type Title = { fairy?: string | null; title?: string | null };

/** A thing to do, of one fairy. */
export type Todo = { id: string; run?: string | null; status: TodoStatus; text: string };

/** How far a todo or a task is. */
export type TodoStatus = "todo" | "in-progress" | "done";

export type Token = { id: string; subject: string; token: string };

export type Typed = { from: string; to: string };

export type UndoTo = { kept?: boolean; message?: string | null };

export type Undone = { kept: LeftInPlace[]; undone: number };

/** A diff as people read it, or why there is none. */
export type UnifiedDiff = { text: string } | { omitted: string };

/** Which cell cannot be read, and why. */
export type Unreadable = { column: string; key: string; reason: string; table: string };

/** Something that a fairy waits for. */
export type Wait = { fairy: string; on: WaitOn; until?: number | null };

/** What is waited for. */
export type WaitOn = { task: string; type: "task-completed" } | { fairy: string; mode: Mode; type: "mode-transition" } | { matching?: Record<string, unknown>; name: string; type: "custom" };

/** The runs that touched an element or a block, oldest first; of an operation, the run that it belongs to. */
export type Why = { by?: string | null; element?: string | null; op?: string | null; runs: WhyRun[] };

export type WhyRun = { fairyName: string | null; properties: string[]; run: Run };

/** Places in words are Loro cursors in base64: they stay right whatever is typed meanwhile. */
export type WordsChanged = { removed: Removed[]; typed: Typed[] };

/** One change, as clients see it. */
export type WorkspaceChange = { kind: "page"; value: Page } | { kind: "page"; removed: string } | { kind: "fairy"; value: Fairy } | { kind: "fairy"; removed: string } | { kind: "person"; value: Person } | { kind: "run"; value: Run } | { kind: "task"; value: Task } | { kind: "project"; value: ProjectShown } | { kind: "task"; removed: string } | { kind: "plugins"; value: string[] };
