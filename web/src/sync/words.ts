import { JoinErrorCode, UpdateStatusCode, type JoinError } from "loro-protocol";

export const SIGNED_IN_ANEW = "This browser is signed in as somebody else now. What was not sent is kept.";

/** Why an update was refused, as the server says it ahead of the acknowledgement. */
export interface Refusal {
  batch: string;
  reason: string;
}

export function readRefusal(words: unknown): Refusal | undefined {
  const { batch, reason } = (words as { refused?: Partial<Refusal> } | undefined)?.refused ?? {};
  return typeof batch === "string" && typeof reason === "string" ? { batch, reason } : undefined;
}

/** What an acknowledgement other than Ok says to a person; the server's own `reason` is the most exact. */
export function refusalReason(status: UpdateStatusCode, reason?: string): string {
  if (reason) return `The server refused a change: ${reason.replace(/[.\s]*$/, ".")}`;
  switch (status) {
    case UpdateStatusCode.PermissionDenied:
      return "The server refused a change: this link does not allow it.";
    case UpdateStatusCode.PayloadTooLarge:
      return "The server refused a change: it was too large.";
    case UpdateStatusCode.InvalidUpdate:
      return "The server refused a change: it did not fit the page.";
    default:
      return "The server refused a change.";
  }
}

export function joinErrorMessage(error: JoinError): string {
  if (error.code === JoinErrorCode.AuthFailed) {
    return error.message || "This link does not open the page, or no longer does. Open the owner's link again.";
  }
  return error.message || "The server did not let this tab join the page.";
}
