import { runningRun } from "../api/workspace";
import type { CanvasHandle } from "../canvas";
import { PickOverlay } from "../chat/PickOverlay";
import { CommentPins } from "../comments/CommentPins";
import { CommentPlacer } from "../comments/CommentPlacer";
import { FairyOverlay } from "../fairies/FairyOverlay";
import { SpriteInput } from "../fairies/SpriteInput";
import { PendingOverlay } from "../pending/PendingOverlay";
import { Suggestions } from "../pending/Suggestions";
import { tasksOn, useFairy, usePending, useRights } from "../state/select";
import { useParts, useStudio } from "../state/store";
import { TaskOverlay } from "../tasks/TaskOverlay";
import { WhyMark } from "../why/WhyMark";
import { EmptyPage } from "./EmptyPage";

interface OverlayProps {
  handle: CanvasHandle;
  page: string;
}

function Tasks({ handle }: Pick<OverlayProps, "handle">) {
  const tasks = useStudio(tasksOn);
  const rights = useRights();
  const { fairies, projects } = useStudio(({ workspace }) => ({ fairies: workspace.fairies, projects: workspace.projects }));
  const { showPanel, setArea } = useParts("showPanel", "setArea");
  return (
    <TaskOverlay
      handle={handle}
      tasks={tasks}
      fairies={fairies}
      projects={projects}
      readOnly={!rights.wholePages}
      onOpen={() => showPanel("tasks")}
      onRegion={setArea}
    />
  );
}

function Pending({ handle }: Pick<OverlayProps, "handle">) {
  const pending = usePending();
  const { fairies, hot } = useStudio(({ workspace, lookedAt }) => ({ fairies: workspace.fairies, hot: lookedAt }));
  // Words that wait are tinted themselves; of a text page only what one looks at is outlined.
  return (
    <PendingOverlay handle={handle} runs={handle.api ? pending : pending.filter(({ id }) => id === hot)} fairies={fairies} hot={hot} />
  );
}

/** Words for one chosen fairy, at the fairy herself. */
function Speak({ fairy }: { fairy: string }) {
  const { workspace, composer, stop, choose } = useParts("workspace", "composer", "stop", "choose");
  const mayAsk = useRights().ask;
  const who = workspace.fairies.find(({ id }) => id === fairy);
  if (!who || !mayAsk) return null;
  return (
    <SpriteInput
      fairy={who.name}
      busy={runningRun(workspace, fairy) !== undefined}
      onSend={(text) => composer.current?.say(text)}
      onStop={() => stop(fairy)}
      onLeave={() => choose([])}
    />
  );
}

const speak = (fairy: string) => <Speak fairy={fairy} />;

function Fairies({ handle, page }: OverlayProps) {
  const { fairies, projects } = useStudio(({ workspace }) => ({ fairies: workspace.fairies, projects: workspace.projects }));
  const chosen = useStudio((state) => state.chosen.filter((id) => state.workspace.fairies.some((fairy) => fairy.id === id)));
  const act = useParts("chooseFairy", "choose", "follow", "fairyMenu", "put", "assign");
  const mayAsk = useRights().ask;
  return (
    <FairyOverlay
      handle={handle}
      page={page}
      fairies={fairies}
      projects={projects}
      chosen={chosen}
      readOnly={!mayAsk}
      onChoose={act.chooseFairy}
      onChooseOnly={act.choose}
      onFollow={act.follow}
      onMenu={act.fairyMenu}
      onPut={act.put}
      onTask={(who, task) => act.assign(task, who)}
      speak={speak}
    />
  );
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
      {tasksShown && <Tasks handle={handle} />}
      <Pending handle={handle} />
      <Suggestions />
      <Fairies handle={handle} page={page} />
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
