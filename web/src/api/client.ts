import { strings } from "../strings";
import type { Page, Run, Session, UndoResult, Why } from "./types";

/** A failed request, in words a person can act on. */
export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = "ApiError";
    this.status = status;
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

async function request<T>(method: "GET" | "POST", path: string, body?: unknown): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      credentials: "same-origin",
      ...(body === undefined
        ? {}
        : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
  } catch {
    throw new ApiError(0, strings.errors.unreachable);
  }
  const text = await response.text();
  if (!response.ok) throw new ApiError(response.status, describeFailure(response.status, text));
  return (text ? JSON.parse(text) : {}) as T;
}

export interface History<M> {
  id: string;
  messages: M[];
}


const id = encodeURIComponent;

export const api = {
  openSession: (key: string) => request<Session>("POST", "/api/session", { key }),
  session: () => request<Session>("GET", "/api/session"),
  makePage: (workspace: string, name: string) =>
    request<Page>("POST", `/api/workspaces/${id(workspace)}/pages`, { name, kind: "canvas" }),
  history: <M>(chat: string) => request<History<M>>("GET", `/api/ai/chat/${id(chat)}`),
  stop: (fairy: string) => request<unknown>("POST", `/api/fairies/${id(fairy)}/stop`, {}),
  keep: (run: string) => request<Partial<Run>>("POST", `/api/runs/${id(run)}/keep`, {}),
  why: (page: string, element: string) => request<Why>("GET", `/api/pages/${id(page)}/why?element=${id(element)}`),
  undo: (run: string, elements?: string[]) =>
    request<UndoResult>("POST", `/api/runs/${id(run)}/undo`, elements ? { elements } : {}),
};

export const eventsUrl = (workspace: string) => `/api/workspaces/${id(workspace)}/events`;
