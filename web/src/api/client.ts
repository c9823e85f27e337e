import { strings } from "../strings";
import { signIn, type SignIn } from "./signIn";
import type {
  Attenuate,
  Link,
  ModelChange,
  ModelList,
  NewProject,
  NewTask,
  PageChange,
  PluginChange,
  Plugins,
  SignedIn,
  StepInFull,
  Tidied,
} from "./schema";
import type {
  Fairy,
  FairyChange,
  Found,
  Page,
  Point,
  ReopenResult,
  Run,
  RunChange,
  RunPart,
  Session,
  Task,
  TaskChange,
  UndoResult,
  Why,
} from "./types";

/** A failed request, in words a person can act on. */
export class ApiError extends Error {
  readonly status: number;
  /** What the server said, as it said it. */
  readonly body: string;

  constructor(status: number, message: string, body = "") {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.body = body;
  }

  /** Why, in the server's own word: of a 401 `expired`, `revoked`, `session_ended` or `unknown`. */
  get code(): string {
    return parseProblem(this.body)?.code ?? "";
  }
}

function parseProblem(body: string): { code?: string } | null {
  try {
    const problem: unknown = JSON.parse(body);
    const code = typeof problem === "object" && problem !== null && "code" in problem ? problem.code : undefined;
    return typeof code === "string" ? { code } : null;
  } catch {
    return null;
  }
}

interface Problem {
  title?: unknown;
  detail?: unknown;
}

/** Turns a problem+json body (or whatever came instead) into one sentence. */
export function describeFailure(status: number, body: string): string {
  try {
    const problem = JSON.parse(body) as Problem;
    if (typeof problem.detail === "string" && problem.detail) return problem.detail;
    if (typeof problem.title === "string" && problem.title) return problem.title;
  } catch {
    // Not JSON: a proxy's page, or nothing at all. The status says enough.
  }
  return strings.errors.byStatus(status);
}

/** Of `/api/session` and `/api/sessions`. */
const SESSIONS = "/api/session";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** `fetch`, unless the browser is signed in as somebody else by now: it would be their request. */
export const ownFetch: typeof fetch = (input, init) => {
  const other = signIn.check();
  if (other) return Promise.reject(new ApiError(409, strings.key.replaced.title(other.name)));
  return fetch(input, init);
};

/** One request to the server itself; anything but success is an `ApiError`. */
export async function send(method: Method, path: string, headers: Record<string, string> = {}, body?: BodyInit): Promise<Response> {
  let response: Response;
  try {
    // Who is signed in can always be asked; nothing is done by it.
    const call = path.startsWith(SESSIONS) && method === "GET" ? fetch : ownFetch;
    response = await call(path, { method, credentials: "same-origin", headers, ...(body === undefined ? {} : { body }) });
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError(0, strings.errors.unreachable);
  }
  if (!response.ok) {
    const text = await response.text();
    throw new ApiError(response.status, describeFailure(response.status, text), text);
  }
  return response;
}

/** A request in JSON, and its answer. */
export async function request<T>(method: Method, path: string, body?: unknown): Promise<T> {
  const response = await (body === undefined
    ? send(method, path)
    : send(method, path, { "content-type": "application/json" }, JSON.stringify(body)));
  const text = await response.text();
  return (text ? JSON.parse(text) : {}) as T;
}

export interface History<M> {
  id: string;
  messages: M[];
}

/** A fairy's inside, as the server tells it; what this studio does not know is shown as it is. */
export interface FairyInside {
  steps: StepInFull[];
  [more: string]: unknown;
}

const id = encodeURIComponent;

export const api = {
  run: (run: string) => request<Run>("GET", `/api/runs/${id(run)}`),
  /** Without `replace`, somebody else's session in this browser stands and the answer is a 409. */
  openSession: (key: string, replace = false) => request<Session>("POST", "/api/session", { key, replace }),
  session: () => request<Session>("GET", "/api/session"),
  signOut: () => request<unknown>("DELETE", "/api/session"),
  sessions: () => request<SignedIn[]>("GET", "/api/sessions"),
  endSession: (session: string) => request<unknown>("DELETE", `/api/sessions/${id(session)}`),
  endOtherSessions: () => request<unknown>("DELETE", "/api/sessions?others=true"),
  makePage: (workspace: string, name: string, kind: "canvas" | "text" = "canvas") =>
    request<Page>("POST", `/api/workspaces/${id(workspace)}/pages`, { name, kind }),
  changePage: (page: string, change: PageChange) => request<Page>("PATCH", `/api/pages/${id(page)}`, change),
  deletePage: (page: string) => request<unknown>("DELETE", `/api/pages/${id(page)}`),
  restorePage: (page: string) => request<Page>("POST", `/api/pages/${id(page)}/restore`, {}),
  duplicatePage: (page: string) => request<Page>("POST", `/api/pages/${id(page)}/duplicate`, {}),
  history: <M>(chat: string) => request<History<M>>("GET", `/api/ai/chat/${id(chat)}`),
  stop: (fairy: string) => request<unknown>("POST", `/api/fairies/${id(fairy)}/stop`, {}),
  links: () => request<Link[]>("GET", "/api/tokens"),
  /** A file that the editor cannot read, as one that it can; and in words what is not as it was. */
  readFile: async (page: string, file: Blob) => {
    const response = await send("POST", `/api/pages/${id(page)}/read`, { "content-type": file.type || "application/octet-stream" }, file);
    return (await response.json()) as { scene: unknown; notes: string[] };
  },
  tidy: (page: string, elements: readonly string[]) => request<Tidied>("POST", `/api/pages/${id(page)}/tidy`, { elements }),
  makeLink: (wanted: Attenuate) => request<{ token: string }>("POST", "/api/tokens/attenuate", wanted),
  revokeLink: (which: { id: string } | { token: string }) => request<unknown>("POST", "/api/tokens/revoke", which),
  makeTask: (workspace: string, task: NewTask) => request<Task>("POST", `/api/workspaces/${id(workspace)}/tasks`, task),
  changeTask: (task: string, change: TaskChange) => request<Task>("PATCH", `/api/tasks/${id(task)}`, change),
  deleteTask: (task: string) => request<unknown>("DELETE", `/api/tasks/${id(task)}`),
  startTask: (task: string) => request<unknown>("POST", `/api/tasks/${id(task)}/start`, {}),
  startProject: (workspace: string, wanted: NewProject) =>
    request<{ id: string }>("POST", `/api/workspaces/${id(workspace)}/projects`, wanted),
  tellProject: (project: string, message: string) => request<unknown>("POST", `/api/projects/${id(project)}/messages`, { message }),
  /** All that its members have done since it began. */
  projectRuns: (project: string) => request<Run[]>("GET", `/api/projects/${id(project)}/runs`),
  disband: (project: string) => request<unknown>("POST", `/api/projects/${id(project)}/disband`, {}),
  debug: (fairy: string) => request<FairyInside>("GET", `/api/fairies/${id(fairy)}/debug`),
  prompt: (fairy: string, page: string) => request<unknown>("GET", `/api/fairies/${id(fairy)}/prompt?page=${id(page)}`),
  models: () => request<ModelList>("GET", "/api/models"),
  changeModels: (change: ModelChange) => request<ModelList>("PUT", "/api/models", change),
  makeFairy: (workspace: string, wanted: FairyChange) => request<Fairy>("POST", `/api/workspaces/${id(workspace)}/fairies`, wanted),
  changeFairy: (fairy: string, change: FairyChange) => request<Fairy>("PATCH", `/api/fairies/${id(fairy)}`, change),
  dismiss: (fairy: string) => request<unknown>("DELETE", `/api/fairies/${id(fairy)}`),
  sleep: (fairy: string) => request<unknown>("POST", `/api/fairies/${id(fairy)}/sleep`, {}),
  wake: (fairy: string) => request<unknown>("POST", `/api/fairies/${id(fairy)}/wake`, {}),
  summon: (fairy: string, page: string, position: Point) =>
    request<unknown>("POST", `/api/fairies/${id(fairy)}/summon`, { page, position }),
  reset: (fairy: string) => request<unknown>("POST", `/api/fairies/${id(fairy)}/reset`, {}),
  keep: (run: string, part: RunPart = {}) => request<Partial<Run>>("POST", `/api/runs/${id(run)}/keep`, part),
  changes: (run: string) => request<RunChange[]>("GET", `/api/runs/${id(run)}/changes`),
  plugins: (workspace: string) => request<Plugins>("GET", `/api/workspaces/${id(workspace)}/plugins`),
  changePlugins: (workspace: string, change: PluginChange) => request<Plugins>("PATCH", `/api/workspaces/${id(workspace)}/plugins`, change),
  interrupt: (fairy: string, input: Record<string, unknown>) =>
    request<{ run: string | null }>("POST", `/api/fairies/${id(fairy)}/interrupt`, { input }),
  why: (page: string, element: string) => request<Why>("GET", `/api/pages/${id(page)}/why?element=${id(element)}`),
  undo: (run: string, part: RunPart = {}) => request<UndoResult>("POST", `/api/runs/${id(run)}/undo`, part),
  reopen: (run: string) => request<ReopenResult>("POST", `/api/runs/${id(run)}/reopen`, {}),
  search: (workspace: string, words: string) => request<Found[]>("GET", `/api/workspaces/${id(workspace)}/search?q=${id(words)}`),
};

export const eventsUrl = (workspace: string) => `/api/workspaces/${id(workspace)}/events`;

/** Who this browser is signed in as, by the server's word; tells the tab if that is somebody else by now. */
export async function confirmSignIn(): Promise<boolean> {
  return signIn.saw(await signedIn());
}

/** Who a session is, for this tab. */
export function signInOf({ session, subject, name }: Session): SignIn {
  // Only a session has an id, and only a session has a cookie.
  if (!session) throw new ApiError(401, strings.errors.byStatus(401));
  return { session, subject, name };
}

/** The session that the cookie carries. */
export async function signedIn(): Promise<SignIn> {
  return signInOf(await api.session());
}
