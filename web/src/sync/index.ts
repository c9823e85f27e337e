export { PageSession } from "./PageSession";
export type { PageSessionOptions } from "./PageSession";
export type { Identity, Point, Presence, Rect, RefusedCopy, SyncState, SyncStatus, Unsubscribe } from "./types";
