import { describeFailure } from "../api/client";
import { strings } from "../strings";
import type { AnyMessage } from "./message";

/** The AI SDK's errors carry the response; reading them by shape spares us its whole error module. */
interface MaybeApiCallError {
  statusCode?: unknown;
  responseBody?: unknown;
}

/** What went wrong with a chat request, in words that say what to do. `last`: who spoke last in the conversation. */
export function describeChatError(error: Error, last: AnyMessage["role"] | undefined): string {
  const { statusCode, responseBody } = error as Error & MaybeApiCallError;
  if (typeof statusCode === "number") {
    return describeFailure(statusCode, typeof responseBody === "string" ? responseBody : "");
  }
  // The browser's word for a line that failed. An answer that had begun goes on without us.
  if (error instanceof TypeError) return last === "user" ? strings.errors.notSent : strings.errors.streamLost;
  return error.message || strings.errors.byStatus(500);
}

/** `2:05` of what is left to wait; null when that is over. */
export function countdown(until: number, now: number): string | null {
  const left = Math.ceil((until - now) / 1000);
  if (left <= 0) return null;
  const [hours, minutes, seconds] = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60];
  const two = (n: number) => String(n).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}
