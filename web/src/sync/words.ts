import { JoinErrorCode, UpdateStatusCode, type JoinError } from "loro-protocol";

export const SIGNED_IN_ANEW = "This browser is signed in as somebody else now. What was not sent is kept.";

/** What an acknowledgement other than Ok says to a person. */
export function refusalReason(status: UpdateStatusCode): string {
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
