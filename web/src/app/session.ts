import { api, ApiError } from "../api/client";
import type { Session } from "../api/types";

export interface Fragment {
  key: string | null;
  page: string | null;
}

/** Reads `#key=…&page=…`. The key is in the fragment because fragments never reach a server's log. */
export function readFragment(hash: string): Fragment {
  const params = new URLSearchParams(hash.replace(/^#/, ""));
  return { key: params.get("key"), page: params.get("page") };
}

/** The fragment to leave in the address bar: everything but the key. */
export function fragmentWithoutKey(hash: string): string {
  const params = new URLSearchParams(hash.replace(/^#/, ""));
  params.delete("key");
  const rest = params.toString();
  return rest ? `#${rest}` : "";
}

export type Entry =
  | { kind: "open"; session: Session }
  | { kind: "locked"; reason: "missing" | "wrong" }
  | { kind: "failed"; message: string };

/** Spends the key in the address, or falls back on the cookie of an earlier visit. */
export async function enter(location: Location, history: History): Promise<Entry> {
  const { key } = readFragment(location.hash);
  try {
    if (key === null) return { kind: "open", session: await api.session() };
    const session = await api.openSession(key);
    // Only once it worked: a reload after a hiccup must still find the key.
    history.replaceState(
      history.state,
      "",
      location.pathname + location.search + fragmentWithoutKey(location.hash),
    );
    return { kind: "open", session };
  } catch (error) {
    if (error instanceof ApiError && [400, 401, 403, 422].includes(error.status)) {
      return { kind: "locked", reason: key === null ? "missing" : "wrong" };
    }
    return { kind: "failed", message: error instanceof Error ? error.message : String(error) };
  }
}
