import type { CanvasHandle } from "../canvas";
import { PickOverlay } from "../chat/PickOverlay";
import { CommentPins } from "../comments/CommentPins";
import { CommentPlacer } from "../comments/CommentPlacer";
import { FairyOverlay } from "../fairies/FairyOverlay";
import { PendingOverlay } from "../pending/PendingOverlay";
import { Suggestions } from "../pending/Suggestions";
import { useFairy, useRights } from "../state/select";
import { useParts, useStudio } from "../state/store";
import { TaskOverlay } from "../tasks/TaskOverlay";
import { WhyMark } from "../why/WhyMark";
import { EmptyPage } from "./EmptyPage";

interface OverlayProps {
  handle: CanvasHandle;
  page: string;
}

function Comments({ handle }: Pick<OverlayProps, "handle">) {
  const { threads, open, placing, me } = useStudio((state) => ({
    threads: state.threads,
    open: state.openThread,
    placing: state.placing,
    me: state.session.subject,
  }));
  const { setThread, setPlacing, beginAt, threadActions: actions } = useParts("setThread", "setPlacing", "beginAt", "threadActions");
  const { comment, owner } = useRights();
  return (
    <>
      <CommentPins
        handle={handle}
        threads={threads}
        open={open}
        onOpen={setThread}
        me={me}
        mayComment={comment}
        owner={owner}
        {...actions}
      />
      {placing && <CommentPlacer handle={handle} onSay={beginAt} onLeave={() => setPlacing(false)} />}
    </>
  );
}

/** Everything of ours that lies over the canvas. */
export function PageOverlay({ handle, page }: OverlayProps) {
  const fairy = useFairy();
  const rights = useRights();
  const { selection, picking, tasksShown, workspace } = useParts("selection", "picking", "tasksShown", "workspace");
  const { composer, pick, setPicking, goToRun } = useParts("composer", "pick", "setPicking", "goToRun");
  const [only, ...more] = selection;
  return (
    <>
      {fairy && rights.ask && (
        <EmptyPage
          handle={handle}
          fairy={fairy.name}
          kind={handle.api ? "canvas" : "text"}
          onPick={(prompt) => composer.current?.say(prompt)}
        />
      )}
      {tasksShown && <TaskOverlay handle={handle} />}
      <PendingOverlay handle={handle} />
      <Suggestions />
      <FairyOverlay handle={handle} page={page} />
      <Comments handle={handle} />
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
      {only && more.length === 0 && <WhyMark key={only} handle={handle} page={page} element={only} workspace={workspace} onRun={goToRun} />}
    </>
  );
}
