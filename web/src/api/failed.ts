import { strings } from "../strings";

/** What to tell a person of something that failed. */
export function failed(error: unknown): string {
  return error instanceof Error ? error.message : strings.errors.unreachable;
}
