import type { KeyboardEvent } from "react";

/** The canvas editor listens to the whole document: what is typed in a window or a menu is not for it. */
export const keepKeys = (event: KeyboardEvent) => event.stopPropagation();
