import { request } from "../api/client";
import type { Run, UndoResult } from "../api/types";
import type { Answer, ChangeKind, CodeChat, FileChange, FileShown, Listing, Overview, Part, Reach } from "./types";

const id = encodeURIComponent;

/** The code project's own doors. */
export const codeApi = {
  overview: () => request<Overview>("GET", "/api/code"),
  files: (path: string) => request<Listing>("GET", `/api/code/files?path=${id(path)}`),
  file: (path: string) => request<FileShown>("GET", `/api/code/file?path=${id(path)}`),
  changes: (run: string) => request<FileChange[]>("GET", `/api/code/runs/${id(run)}/changes`),
  keep: (run: string, part: Part) => request<Run>("POST", `/api/runs/${id(run)}/keep`, part),
  undo: (run: string, part: Part) => request<UndoResult>("POST", `/api/runs/${id(run)}/undo`, part),
  makeChat: () => request<CodeChat>("POST", "/api/code/chats", {}),
  rename: (chat: string, title: string) => request<CodeChat>("PATCH", `/api/code/chats/${id(chat)}`, { title }),
  giveTo: (chat: string, fairy: string) => request<CodeChat>("PATCH", `/api/code/chats/${id(chat)}`, { fairy }),
  remove: (chat: string) => request<unknown>("DELETE", `/api/code/chats/${id(chat)}`),
  abort: (chat: string) => request<CodeChat>("POST", `/api/code/chats/${id(chat)}/abort`, {}),
  approve: (chat: string, answer: Answer) => request<unknown>("POST", `/api/code/chats/${id(chat)}/approve`, answer),
  /** Takes back what was allowed without asking. */
  takeBack: (chat: string, reach: Reach & { kind: ChangeKind }) =>
    request<CodeChat>("POST", `/api/code/chats/${id(chat)}/take-back`, reach),
  undoTo: (chat: string, message: string | undefined, kept: boolean) =>
    request<UndoResult>("POST", `/api/code/chats/${id(chat)}/undo`, message ? { message, kept } : { kept }),
};
