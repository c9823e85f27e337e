import type { Fairy } from "../api/types";
import { useFairyPresence } from "../app/usePresence";
import type { CanvasHandle } from "../canvas";
import { strings } from "../strings";
import { appearance } from "./roster";
import { useFollow } from "./useFollow";

interface FollowingProps {
  fairy: Fairy;
  /** The canvas of its page, while that is on screen. */
  handle: CanvasHandle | null;
  onEnd(): void;
}

/** Keeps a fairy in the middle of the view, says so, and lets go. */
export function Following({ fairy, handle, onEnd }: FollowingProps) {
  const { position } = appearance(fairy, useFairyPresence(fairy.id));
  useFollow(handle, handle ? position : null, onEnd);
  return (
    <p className="following" role="status">
      {strings.fairy.following(fairy.name)}
      <button type="button" className="button small" onClick={onEnd}>
        {strings.fairy.unfollow}
      </button>
    </p>
  );
}
