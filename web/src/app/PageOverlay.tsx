import type { CanvasHandle } from "../canvas";
import { PickOverlay } from "../chat/PickOverlay";
import { CommentPins } from "../comments/CommentPins";
import { CommentPlacer } from "../comments/CommentPlacer";
import { FairyOverlay } from "../fairies/FairyOverlay";
import { PendingOverlay } from "../pending/PendingOverlay";
import { Suggestions } from "../pending/Suggestions";
import { useFairy, useRights } from "../state/select";
import { useParts } from "../state/store";
import { TaskOverlay } from "../tasks/TaskOverlay";
import { WhyMark } from "../why/WhyMark";
import { EmptyPage } from "./EmptyPage";

interface OverlayProps {
  handle: CanvasHandle;
  page: string;
}

/** Everything of ours that lies over the canvas. */
export function PageOverlay({ handle, page }: OverlayProps) {
  const fairy = useFairy();
  const rights = useRights();
  const { selection, picking, placing, tasksShown } = useParts("selection", "picking", "placing", "tasksShown");
  const { composer, ask, pick, setPicking, beginAt, setPlacing } = useParts(
    "composer",
    "ask",
    "pick",
    "setPicking",
    "beginAt",
    "setPlacing",
  );
  const [only, ...more] = selection;
  return (
    <>
      {fairy && rights.ask && <EmptyPage handle={handle} fairy={fairy.name} kind={handle.api ? "canvas" : "text"} onPick={ask} />}
      {tasksShown && <TaskOverlay handle={handle} />}
      <PendingOverlay handle={handle} />
      <Suggestions />
      <FairyOverlay handle={handle} page={page} />
      <CommentPins handle={handle} />
      {placing && <CommentPlacer handle={handle} onSay={beginAt} onLeave={() => setPlacing(false)} />}
      {picking && (
        <PickOverlay
          handle={handle}
          onPick={(item) => {
            pick(item);
            composer.current?.focus();
          }}
          onLeave={() => setPicking(false)}
        />
      )}
      {only && more.length === 0 && <WhyMark key={only} handle={handle} page={page} element={only} />}
    </>
  );
}
