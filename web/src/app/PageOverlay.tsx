import type { ReactNode } from "react";
import type { Fairy, Run, Session, Workspace } from "../api/types";
import type { CanvasHandle } from "../canvas";
import { PickOverlay } from "../chat/PickOverlay";
import { CommentPins } from "../comments/CommentPins";
import { CommentPlacer } from "../comments/CommentPlacer";
import { FairyOverlay } from "../fairies/FairyOverlay";
import { PendingOverlay } from "../pending/PendingOverlay";
import { Suggestions } from "../pending/Suggestions";
import { TaskOverlay } from "../tasks/TaskOverlay";
import { WhyMark } from "../why/WhyMark";
import { EmptyPage } from "./EmptyPage";
import { maySettle, type Rights } from "./rights";
import { shapesOf } from "./shapes";
import type { Asking } from "./useAsking";
import type { Conversations } from "./useConversations";
import type { FairyDeeds } from "./useFairyDeeds";
import type { Tasks } from "./useTasks";

interface PageOverlayProps {
  handle: CanvasHandle;
  page: string;
  workspace: Workspace;
  session: Session;
  rights: Rights;
  /** Whom one talks to now. */
  fairy: Fairy | undefined;
  pending: readonly Run[];
  /** The run that someone looks at. */
  hot: string | null;
  tasks: Tasks;
  talk: Conversations;
  asking: Asking;
  deeds: FairyDeeds;
  onChooseFairy(fairy: string, also: boolean): void;
  /** What to show at a chosen fairy. */
  speak(fairy: string): ReactNode;
  onSay(prompt: string): void;
  onTasks(): void;
  onPicked(): void;
  onRun(fairy: string, run: string): void;
  /** Brings a run's shapes into sight. */
  onShowRun(run: Run): void;
  onLook(run: string | null): void;
}

/** Everything of ours that lies over the canvas. */
export function PageOverlay({
  handle,
  page,
  workspace,
  session,
  rights,
  fairy,
  pending,
  hot,
  tasks,
  talk,
  asking,
  deeds,
  ...on
}: PageOverlayProps) {
  const [only, ...more] = asking.selection;
  return (
    <>
      {fairy && rights.ask && <EmptyPage handle={handle} fairy={fairy.name} kind={handle.api ? "canvas" : "text"} onPick={on.onSay} />}
      {tasks.shown && (
        <TaskOverlay
          handle={handle}
          tasks={tasks.list}
          fairies={workspace.fairies}
          projects={workspace.projects}
          readOnly={!rights.wholePages}
          onOpen={on.onTasks}
          onRegion={tasks.setArea}
        />
      )}
      {/* Words that wait are tinted themselves; of a text page only what one looks at is outlined. */}
      <PendingOverlay
        handle={handle}
        runs={handle.api ? pending : pending.filter(({ id }) => id === hot)}
        fairies={workspace.fairies}
        hot={hot}
      />
      <Suggestions
        runs={pending}
        workspace={workspace}
        me={session.subject}
        maySettle={(run) => maySettle(rights, run)}
        shapesOf={(ids) => shapesOf(handle, ids)}
        onShow={on.onShowRun}
        onLook={on.onLook}
      />
      <FairyOverlay
        handle={handle}
        page={page}
        fairies={workspace.fairies}
        projects={workspace.projects}
        chosen={deeds.chosen}
        readOnly={!rights.ask}
        onChoose={on.onChooseFairy}
        onChooseOnly={deeds.choose}
        onFollow={deeds.follow}
        onMenu={deeds.menu}
        onPut={deeds.put}
        onTask={(who, task) => tasks.assign(task, who)}
        speak={on.speak}
      />
      <CommentPins
        handle={handle}
        threads={talk.threads}
        open={talk.open}
        onOpen={talk.setOpen}
        me={session.subject}
        mayComment={rights.comment}
        owner={rights.owner}
        {...talk.actions}
      />
      {talk.placing && <CommentPlacer handle={handle} onSay={talk.begin} onLeave={() => talk.setPlacing(false)} />}
      {asking.picking && (
        <PickOverlay
          handle={handle}
          onPick={(item) => {
            asking.pick(item);
            asking.setPicking(false);
            on.onPicked();
          }}
          onLeave={() => asking.setPicking(false)}
        />
      )}
      {only && more.length === 0 && (
        <WhyMark key={only} handle={handle} page={page} element={only} workspace={workspace} onRun={on.onRun} />
      )}
    </>
  );
}
