import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState, type PointerEvent } from "react";
import { blobs } from "../api/blobs";
import { api } from "../api/client";
import { failed } from "../api/failed";
import type { SignIn } from "../api/signIn";
import type { Line } from "../api/store";
import type { Fairy, Run, Session, Workspace } from "../api/types";
import { orderedPages, pendingOn, runningRun, runsToSettle } from "../api/workspace";
import { ActionDiff } from "../changes/ActionDiff";
import { ChangesDialog } from "../changes/ChangesDialog";
import { ChatPanel } from "../chat/ChatPanel";
import type { ComposerHandle } from "../chat/Composer";
import type { RunJump } from "../chat/useJump";
import { ContextChips } from "../chat/ContextChips";
import { chipText } from "../chat/context";
import { appearance } from "../fairies/roster";
import { SpriteInput } from "../fairies/SpriteInput";
import { CommentsPanel } from "../panels/CommentsPanel";
import { FairiesPanel } from "../panels/FairiesPanel";
import { GroupPanel } from "../panels/GroupPanel";
import { SearchPanel } from "../panels/SearchPanel";
import { TasksPanel } from "../panels/TasksPanel";
import { TogetherInput } from "../projects/TogetherInput";
import { SettingsDialog } from "../settings/SettingsDialog";
import { ShareDialog } from "../share/ShareDialog";
import { strings } from "../strings";
import type { Presence } from "../sync";
import { Toasts } from "../ui/Toasts";
import { Dock } from "./Dock";
import { nameEditorButtons } from "./editorNames";
import { mentionableIn } from "./mentionable";
import { FairyPick } from "./FairyPick";
import { PageMenu } from "./PageMenu";
import { PageNotice } from "./PageNotice";
import { PageOverlay } from "./PageOverlay";
import { peopleHere } from "./people";
import { maySettle, rightsOf } from "./rights";
import { clearOfTools, shapesOf, showShapes } from "./shapes";
import { surfaces } from "./surfaces";
import { TopTools, type Panel, type Window } from "./TopTools";
import { ToastView } from "./Toast";
import { TopBar } from "./TopBar";
import { useAsking } from "./useAsking";
import { useConversations } from "./useConversations";
import { useFairyDeeds } from "./useFairyDeeds";
import { useDark, usePhone } from "./useMedia";
import { usePages } from "./usePages";
import { usePageSession } from "./usePageSession";
import { fairyPresenceNow, OpenSession, usePresence } from "./usePresence";
import { useSettling } from "./useSettling";
import { useTasks } from "./useTasks";
import UnsentChanges from "./UnsentChanges";
import { useToasts } from "./useToasts";

const CanvasPage = lazy(surfaces.canvas);
const TextPage = lazy(surfaces.text);
const CodeSurface = lazy(() => import("../code/CodeSurface"));

/** A reload comes back to the code project if one was there. */
const SURFACE = "glade.surface";

interface StudioProps {
  session: Session;
  as: SignIn;
  workspace: Workspace;
  line: Line;
}

/** The open studio: the canvas, the fairies over it, and the panel beside it. */
export default function Studio({ session, as, workspace, line }: StudioProps) {
  const toasts = useToasts();
  const { problem, turnPage } = toasts;
  const pages = usePages(workspace, toasts.say);
  const { page, handle, on: onPage } = pages;
  const pageId = page?.id;
  useEffect(() => turnPage(pageId), [pageId, turnPage]);
  const open = usePageSession(pageId, as);
  const rights = rightsOf(session, open?.status);
  const [panelOpen, setPanelOpen] = useState(true);
  const [panel, setPanel] = useState<Panel>(() => (sessionStorage.getItem(SURFACE) === "code" && workspace.code ? "code" : "chat"));
  useEffect(() => sessionStorage.setItem(SURFACE, panel === "code" ? "code" : "page"), [panel]);
  const [window, setWindow] = useState<Window | null>(null);
  const [compared, setCompared] = useState<Run | null>(null);
  const [inline, setInline] = useState(false);
  const closeCompared = useCallback(() => setCompared(null), []);
  const closeWindow = useCallback(() => setWindow(null), []);
  const [fairyId, setFairyId] = useState<string | null>(null);
  const [focusAsked, askFocus] = useState(0);
  const [lookedAt, lookAt] = useState<string | null>(null);
  const [jump, setJump] = useState<RunJump | null>(null);
  const composer = useRef<ComposerHandle>(null);
  const dark = useDark();
  const phone = usePhone();

  const here = useCallback((all: ReadonlyMap<string, Presence>) => peopleHere(all, session.subject), [session.subject]);
  const people = usePresence(open?.session ?? null, here);

  const fairy =
    workspace.fairies.find(({ id }) => id === fairyId) ??
    workspace.fairies.find((candidate) => candidate.page === pageId) ??
    workspace.fairies[0];

  const asking = useAsking(pageId, handle, fairy);
  const { chat } = asking;
  const tasks = useTasks({ workspace, page: pageId, handle, onToast: toasts.say });
  const talk = useConversations(open, session, handle);
  const pending = useMemo(() => (pageId ? pendingOn(workspace, pageId) : []), [workspace, pageId]);

  const settling = useSettling({ workspace, page: pageId, me: session.subject, handle, onToast: toasts.say });
  const mentionable = useMemo(() => mentionableIn(workspace, pageId), [workspace, pageId]);

  useEffect(() => {
    if (focusAsked > 0) composer.current?.focus();
  }, [focusAsked]);

  const showPanel = useCallback((which: Panel) => {
    setPanel(which);
    setPanelOpen(true);
  }, []);
  const backToChat = useCallback(() => setPanel("chat"), []);
  const onCode = panelOpen && panel === "code" && !!workspace.code;

  const talkTo = useCallback(
    (id: string) => {
      setFairyId(id);
      showPanel("chat");
      askFocus((n) => n + 1);
    },
    [showPanel],
  );

  // Stable while the workspace changes: the whole conversation would render again.
  const runs = useRef(workspace.runs);
  runs.current = workspace.runs;
  const show = useCallback(
    (elements: string[]) => {
      const run = runs.current.find((run) => elements.some((id) => run.elements.includes(id)));
      const where = run?.page ?? pageId;
      if (where) onPage(where, (handle) => showShapes(handle, elements));
    },
    [pageId, onPage],
  );

  const showRun = useCallback((run: Run) => onPage(run.page, (handle) => handle.scrollTo(shapesOf(handle, run.elements))), [onPage]);

  const diff = useCallback((run: string, action: number) => handle && <ActionDiff run={run} action={action} handle={handle} />, [handle]);

  const goToRun = useCallback(
    (who: string, run: string) => {
      setFairyId(who);
      showPanel("chat");
      setJump((was) => ({ run, count: (was?.count ?? 0) + 1 }));
    },
    [showPanel],
  );

  const find = (who: Fairy) => {
    const { position } = appearance(who, fairyPresenceNow(open?.session ?? null, who.id));
    onPage(who.page, (handle) => handle.scrollTo({ x: position.x - 300, y: position.y - 225, w: 600, h: 450 }));
  };

  const deeds = useFairyDeeds({
    fairies: workspace.fairies,
    pages: workspace.pages,
    page: pageId,
    handle,
    rights,
    onFind: find,
    onPage: pages.go,
    onToast: toasts.say,
    taskBounds: { shown: tasks.shown, toggle: tasks.toggle },
  });
  const stop = (id: string) => void api.stop(id).catch((error: Error) => problem(error.message));

  const newFairy = async () => {
    try {
      const made = await api.makeFairy(workspace.id, page ? { page: page.id } : {});
      deeds.configure(made);
    } catch (error) {
      problem(failed(error));
    }
  };

  const chooseFairy = (id: string, also: boolean) => {
    const { chosen, choose } = deeds;
    choose(!also ? [id] : chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
    if (!also) setFairyId(id);
  };

  const speakTo = (id: string) => {
    const who = workspace.fairies.find((candidate) => candidate.id === id);
    if (!who || !rights.ask) return null;
    return (
      <SpriteInput
        fairy={who.name}
        busy={runningRun(workspace, id) !== undefined}
        onSend={(text) => composer.current?.say(text)}
        onStop={() => stop(id)}
        onLeave={() => deeds.choose([])}
      />
    );
  };

  // In the order in which they were chosen: the first one leads.
  const chosenFairies = deeds.chosen.flatMap((id) => workspace.fairies.find((each) => each.id === id) ?? []);

  // A press on the canvas itself lets go of the chosen fairies; a selection drawn there may choose others.
  const letGo = (event: PointerEvent) => {
    if (event.target instanceof HTMLCanvasElement && deeds.chosen.length > 0 && !event.shiftKey) deeds.choose([]);
  };

  if (!page) return <p className="empty-page">{strings.failure.noPage}</p>;

  const overlay = handle && (
    <PageOverlay
      handle={handle}
      page={page.id}
      workspace={workspace}
      session={session}
      rights={rights}
      fairy={fairy}
      pending={pending}
      hot={lookedAt}
      tasks={tasks}
      talk={talk}
      asking={asking}
      deeds={deeds}
      onChooseFairy={chooseFairy}
      speak={speakTo}
      onSay={(prompt) => composer.current?.say(prompt)}
      onTasks={() => showPanel("tasks")}
      onPicked={() => composer.current?.focus()}
      onRun={goToRun}
      onShowRun={showRun}
      onLook={lookAt}
    />
  );

  return (
    <OpenSession value={open?.session ?? null}>
      <div className="studio" data-panel={panelOpen && (panel !== "chat" || fairy) ? "open" : "closed"}>
        <TopBar
          pages={
            <PageMenu
              page={page}
              pages={orderedPages(workspace)}
              fairies={workspace.fairies}
              waiting={(id) => pendingOn(workspace, id).length}
              readOnly={!rights.wholePages}
              mayMake={rights.newPages}
              onOpen={pages.go}
              onMake={pages.make}
              {...pages.actions}
            />
          }
          status={open?.status ?? { state: "connecting", waiting: 0, permission: session.permission }}
          people={people}
          tools={
            <TopTools
              panel={panel}
              busy={workspace.fairies.filter(({ id }) => runningRun(workspace, id)).length}
              tasks={tasks.list.filter(({ status }) => status !== "done").length}
              comments={talk.threads.filter(({ resolved }) => !resolved).length}
              code={workspace.code ? pendingOn(workspace, "code").length : null}
              owner={rights.owner}
              mayStop={rights.ask}
              onStopAll={() => workspace.fairies.filter(({ id }) => runningRun(workspace, id)).forEach(({ id }) => stop(id))}
              onPanel={showPanel}
              onWindow={setWindow}
            />
          }
        />
        <main className="stage" data-away={onCode || undefined} ref={nameEditorButtons} onPointerDownCapture={letGo}>
          <Suspense fallback={null}>
            {open &&
              (page.kind === "text" ? (
                <TextPage
                  key={page.id}
                  workspace={workspace.id}
                  pluginsOff={workspace.pluginsOff}
                  session={open.session}
                  pageName={page.name || strings.page.untitled}
                  blobs={blobs}
                  onProblem={problem}
                  readOnly={rights.readOnly && !rights.suggest}
                  onReady={(handle) => pages.onReady(page.id, handle)}
                  mentionable={mentionable}
                  threads={talk.threads}
                  openThread={talk.open}
                  onThread={talk.setOpen}
                  onComment={rights.comment ? talk.beginAbout : undefined}
                  runs={settling.runs}
                  author={settling.author}
                  onSettle={settling.settle}
                  maySettle={(run) => maySettle(rights, run)}
                  showing={inline}
                  onShowing={setInline}
                  onPage={pages.go}
                >
                  {overlay}
                </TextPage>
              ) : (
                <CanvasPage
                  key={page.id}
                  session={open.session}
                  pageName={page.name || strings.page.untitled}
                  blobs={blobs}
                  onProblem={problem}
                  readOnly={rights.readOnly && !rights.suggest}
                  theme={dark ? "dark" : "light"}
                  onReady={(handle) => pages.onReady(page.id, handle)}
                >
                  {overlay}
                </CanvasPage>
              ))}
          </Suspense>
          <Toasts>
            <UnsentChanges
              me={as}
              onClaimed={(where) => {
                if (where === page.id) open?.session.sendLeftBehind();
                else pages.go(where);
              }}
            />
            {open && <PageNotice open={open} />}
            {toasts.shown.map((toast) => (
              <ToastView key={toast.id} toast={toast} workspace={workspace} onDismiss={() => toasts.dismiss(toast.id)} />
            ))}
          </Toasts>
          {deeds.windows}
          {chosenFairies.length > 1 && rights.ask && (
            <TogetherInput
              fairies={chosenFairies}
              onLeave={() => deeds.choose([])}
              onSend={(message) => {
                const fairies = chosenFairies.map(({ id }) => id);
                api.startProject(workspace.id, { fairies, page: page.id, message, bounds: handle?.viewport() }).then(
                  () => {
                    deeds.choose([]);
                    showPanel("fairies");
                  },
                  (error: Error) => problem(error.message),
                );
              }}
            />
          )}
          {fairy && !panelOpen && !phone && (
            <Dock fairy={fairy} waiting={runsToSettle(workspace, fairy.id).length} onOpen={() => talkTo(fairy.id)} />
          )}
        </main>
        {panelOpen && panel === "fairies" && (
          <FairiesPanel
            workspace={workspace}
            readOnly={!rights.ask}
            mayMake={rights.manageFairies}
            onTalk={talkTo}
            onMenu={deeds.menu}
            onNew={newFairy}
            onProblem={problem}
            onClose={backToChat}
          />
        )}
        {panelOpen && panel === "group" && (
          <GroupPanel
            workspace={workspace}
            readOnly={!rights.ask}
            context={asking.take}
            onStop={stop}
            onProblem={problem}
            onClose={backToChat}
          />
        )}
        {panelOpen && panel === "search" && (
          <SearchPanel
            workspace={workspace.id}
            onGo={({ page, element }) => onPage(page, (handle) => showShapes(handle, [element]))}
            onClose={backToChat}
          />
        )}
        {panelOpen && panel === "tasks" && (
          <TasksPanel
            tasks={tasks.list}
            fairies={workspace.fairies}
            readOnly={!rights.wholePages}
            view={() => handle && clearOfTools(handle)}
            shown={tasks.shown}
            onToggle={tasks.toggle}
            onMake={tasks.make}
            onClose={backToChat}
            {...tasks.actions}
          />
        )}
        {panelOpen && panel === "comments" && (
          <CommentsPanel
            threads={talk.threads}
            mayComment={rights.comment}
            onAdd={() => talk.setPlacing(true)}
            onOpen={talk.visit}
            onClose={backToChat}
          />
        )}
        {onCode && (
          <Suspense fallback={null}>
            <CodeSurface
              workspace={workspace}
              line={line}
              mayAsk={rights.askCode}
              maySettle={rights.settleCode}
              phone={phone}
              onClose={backToChat}
            />
          </Suspense>
        )}
        {compared && handle && <ChangesDialog run={compared} handle={handle} onShow={show} onClose={closeCompared} />}
        {window === "share" && (
          <ShareDialog
            page={page}
            pages={workspace.pages}
            people={workspace.people}
            session={session}
            project={workspace.code ? (session.project ?? []) : []}
            onClose={closeWindow}
          />
        )}
        {window === "settings" && <SettingsDialog workspace={workspace.id} pluginsOff={workspace.pluginsOff} onClose={closeWindow} />}
        {fairy && chat ? (
          <ChatPanel
            key={fairy.id}
            fairy={fairy}
            chat={chat}
            workspace={workspace}
            line={line}
            me={session.subject}
            page={page}
            readOnly={!rights.ask}
            maySettle={(run) => maySettle(rights, run)}
            selection={asking.selection}
            phone={phone && panel === "chat"}
            open={panelOpen && panel === "chat"}
            composer={composer}
            jump={jump}
            chips={
              <ContextChips
                shapes={chipText(handle, asking.selection, asking.leftOut)}
                view={asking.viewAlong}
                picked={asking.picked}
                picking={asking.picking}
                onLeaveOut={() => asking.leaveOut(asking.selection)}
                onView={asking.setViewAlong}
                onPick={page.kind === "text" ? undefined : () => asking.setPicking(!asking.picking)}
                onUnpick={asking.unpick}
              />
            }
            pick={<FairyPick fairies={workspace.fairies} current={fairy.id} onPick={setFairyId} onEveryone={() => setPanel("group")} />}
            shapesOf={(ids) => shapesOf(handle, ids)}
            onToggle={() => setPanelOpen((was) => !was)}
            onFind={find}
            onShow={show}
            onShowRun={showRun}
            onLookAtRun={lookAt}
            onChanges={page.kind === "text" ? () => setInline(true) : setCompared}
            diff={diff}
          />
        ) : null}
      </div>
    </OpenSession>
  );
}
