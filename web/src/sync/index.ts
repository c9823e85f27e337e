export { PageSession } from "./PageSession";
export type { PageSessionOptions } from "./options";
export { MOST_SELECTED } from "./readPresence";
export { openStorage, type OutboxStorage } from "./storage";
export { claimUnsent, copyOf, unsentBeside, type Unsent } from "./unsent";
export type { Author, Identity, Point, Presence, Rect, RefusedCopy, SyncState, SyncStatus, Unsubscribe } from "./types";
