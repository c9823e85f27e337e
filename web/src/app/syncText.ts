import type { SyncStatus } from "../sync";
import { strings } from "../strings";

export type SyncTone = "good" | "busy" | "bad" | "quiet";

export interface SyncText {
  text: string;
  tone: SyncTone;
  hint: string | null;
}

/** What the status says to a person who only wants to know whether their work is safe. */
export function syncText(status: SyncStatus): SyncText {
  const { state, waiting, permission, message } = status;
  const hint = message ?? null;
  switch (state) {
    case "connecting":
      return { text: strings.sync.connecting, tone: "busy", hint };
    case "offline":
      return {
        text: waiting > 0 ? strings.sync.offlineWaiting(waiting) : strings.sync.offline,
        tone: "bad",
        hint: hint ?? strings.sync.offlineHint,
      };
    case "refused":
      return { text: strings.sync.refused, tone: "bad", hint };
    case "closed":
      return { text: strings.sync.closed, tone: "bad", hint };
    case "saving":
    case "saved":
      if (permission === "read") {
        return { text: strings.sync.viewOnly, tone: "quiet", hint: hint ?? strings.sync.viewOnlyHint };
      }
      return state === "saving" ? { text: strings.sync.saving, tone: "busy", hint } : { text: strings.sync.saved, tone: "good", hint };
  }
}
