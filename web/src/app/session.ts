import { api, ApiError, signInOf } from "../api/client";
import { signIn, type SignIn } from "../api/signIn";
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

/** Why nobody gets in: nobody is signed in, the key is no key, or what it opened is over. */
export type Lock = "missing" | "wrong" | "expired" | "revoked" | "ended";

const LOCKS = new Map<string, Lock>([
  ["expired", "expired"],
  ["revoked", "revoked"],
  ["session_ended", "ended"],
]);

/** What the code of a refusal means to the person at the door; `otherwise` where it says nothing of that. */
export function lockOf(code: string, otherwise: Lock): Lock {
  return LOCKS.get(code) ?? otherwise;
}

export type Entry =
  | { kind: "open"; session: Session; as: SignIn }
  /** The link is another person's than the one who is signed in. */
  | { kind: "occupied"; key: string; current: string; offered: string }
  | { kind: "locked"; lock: Lock }
  | { kind: "failed"; message: string };

/** Who is signed in and whose the link is, if that is why the server refused it. */
function occupied(error: unknown, key: string): Entry | null {
  if (!(error instanceof ApiError) || error.status !== 409) return null;
  try {
    const { current, offered } = JSON.parse(error.body) as { current: Session; offered: Session };
    return { kind: "occupied", key, current: current.name, offered: offered.name };
  } catch {
    return null;
  }
}

/** From here on this tab works as this person. */
function begin(session: Session): Entry {
  const as = signInOf(session);
  signIn.begin(as);
  return { kind: "open", session, as };
}

/** Spends the key in the address, or falls back on the cookie of an earlier visit. */
export async function enter(location: Location, history: History): Promise<Entry> {
  const { key } = readFragment(location.hash);
  const forgetKey = () => history.replaceState(history.state, "", location.pathname + location.search + fragmentWithoutKey(location.hash));
  try {
    if (key === null) return begin(await api.session());
    const session = await api.openSession(key);
    // Only once it was heard: a reload after a hiccup must still find the key.
    forgetKey();
    return begin(session);
  } catch (error) {
    const asked = key === null ? null : occupied(error, key);
    if (asked) {
      forgetKey();
      return asked;
    }
    if (error instanceof ApiError && [400, 401, 403, 422].includes(error.status)) {
      return { kind: "locked", lock: lockOf(error.code, key === null ? "missing" : "wrong") };
    }
    return { kind: "failed", message: error instanceof Error ? error.message : String(error) };
  }
}

/** Opens a link in the place of the session that is there, or leaves that as it is. */
export async function answer(key: string, replace: boolean): Promise<Entry> {
  try {
    return begin(await (replace ? api.openSession(key, true) : api.session()));
  } catch (error) {
    return { kind: "failed", message: error instanceof Error ? error.message : String(error) };
  }
}
