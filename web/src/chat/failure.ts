import { describeFailure } from "../api/client";
import { strings } from "../strings";

/** The AI SDK's errors carry the response; reading them by shape spares us its whole error module. */
interface MaybeApiCallError {
  statusCode?: unknown;
  responseBody?: unknown;
}

/** What went wrong with a chat request, in words that say what to do. */
export function describeChatError(error: Error): string {
  const { statusCode, responseBody } = error as Error & MaybeApiCallError;
  if (typeof statusCode === "number") {
    return describeFailure(statusCode, typeof responseBody === "string" ? responseBody : "");
  }
  if (error instanceof TypeError) return strings.errors.streamLost;
  return error.message || strings.errors.byStatus(500);
}
