import type { Chat } from "@ai-sdk/react";
import { useCallback, useEffect, useMemo, useRef, useState, type PointerEvent } from "react";
import { blobs } from "../api/blobs";
import { api } from "../api/client";
import type { Line } from "../api/store";
import type { Fairy, Run, Session, Workspace } from "../api/types";
import { orderedPages, pageToOpen, pendingOn, runningRun, runsToSettle } from "../api/workspace";
import { CanvasPage, type CanvasHandle } from "../canvas";
import { ActionDiff } from "../changes/ActionDiff";
import { ChangesDialog } from "../changes/ChangesDialog";
import { ChatPanel } from "../chat/ChatPanel";
import type { ComposerHandle } from "../chat/Composer";
import type { RunJump } from "../chat/Conversation";
import { ContextChips } from "../chat/ContextChips";
import { askContext, chipText } from "../chat/context";
import { createChat, type ContextItem } from "../chat/createChat";
import type { FairyMessage } from "../chat/message";
import { PickOverlay } from "../chat/PickOverlay";
import { addComment, deleteComment, resolveComment, rewordComment, type NewComment } from "../comments/commentsDoc";
import { CommentPins } from "../comments/CommentPins";
import { CommentPlacer } from "../comments/CommentPlacer";
import { pinAt, placeOf } from "../comments/place";
import type { ThreadActions } from "../comments/ThreadCard";
import { useComments } from "../comments/useComments";
import { FairyOverlay } from "../fairies/FairyOverlay";
import { appearance, presenceOf } from "../fairies/roster";
import { SpriteInput } from "../fairies/SpriteInput";
import { GroupPanel } from "../panels/GroupPanel";
import { TasksPanel } from "../panels/TasksPanel";
import { CommentsPanel } from "../panels/CommentsPanel";
import { FairiesPanel } from "../panels/FairiesPanel";
import { PendingOverlay } from "../pending/PendingOverlay";
import { ModelsDialog } from "../share/ModelsDialog";
import { ShareDialog } from "../share/ShareDialog";
import { strings } from "../strings";
import type { Presence } from "../sync";
import { TaskOverlay } from "../tasks/TaskOverlay";
import { WhyMark } from "../why/WhyMark";
import { Dock } from "./Dock";
import { nameEditorButtons } from "./editorNames";
import { EmptyPage } from "./EmptyPage";
import { FairyPick } from "./FairyPick";
import { PageMenu } from "./PageMenu";
import { positionAt } from "./pageOrder";
import { PageNotice } from "./PageNotice";
import type { PageActions } from "./PageTools";
import { peopleHere } from "./people";
import { readFragment } from "./session";
import { shapesOf, showShapes } from "./shapes";
import { TopTools, type Panel, type Window } from "./TopTools";
import { ToastView, type Toast } from "./Toast";
import { TopBar } from "./TopBar";
import { useFairyDeeds } from "./useFairyDeeds";
import { useDark, usePhone } from "./useMedia";
import { useTasks } from "./useTasks";
import { usePageSession } from "./usePageSession";
import { fairyPresences, usePresence } from "./usePresence";

/** Who may set up models and hand out everything. */
const OWNER = "person:owner";

interface StudioProps {
  session: Session;
  workspace: Workspace;
  line: Line;
}

/** The open studio: the canvas, the fairies over it, and the panel beside it. */
export default function Studio({ session, workspace, line }: StudioProps) {
  const [wanted, setWanted] = useState(() => readFragment(location.hash).page);
  const page = pageToOpen(workspace, wanted);
  const open = usePageSession(page?.id, session);
  const [ready, setReady] = useState<{ page: string; handle: CanvasHandle } | null>(null);
  // The canvas of the page that was left is of no use to the one that opens.
  const handle = ready && ready.page === page?.id ? ready.handle : null;
  const [selection, setSelection] = useState<string[]>([]);
  const [panelOpen, setPanelOpen] = useState(true);
  const [panel, setPanel] = useState<Panel>("chat");
  const [window, setWindow] = useState<Window | null>(null);
  const [compared, setCompared] = useState<Run | null>(null);
  const closeCompared = useCallback(() => setCompared(null), []);
  const closeWindow = useCallback(() => setWindow(null), []);
  const [fairyId, setFairyId] = useState<string | null>(null);
  const [focusAsked, askFocus] = useState(0);
  const [lookedAt, lookAt] = useState<string | null>(null);
  const [jump, setJump] = useState<RunJump | null>(null);
  const composer = useRef<ComposerHandle>(null);
  const [toast, setToast] = useState<Toast | null>(null);
  const dismissToast = useCallback(() => setToast(null), []);
  const problem = useCallback((text: string) => setToast({ tone: "bad", text }), []);
  const dark = useDark();
  const phone = usePhone();

  const here = useCallback((all: ReadonlyMap<string, Presence>) => peopleHere(all, session.subject), [session.subject]);
  const people = usePresence(open?.session ?? null, here);
  const presences = usePresence(open?.session ?? null, fairyPresences);

  const fairy =
    workspace.fairies.find(({ id }) => id === fairyId) ??
    workspace.fairies.find((candidate) => candidate.page === page?.id) ??
    workspace.fairies[0];

  // Chats outlive the panel that shows them: a reply goes on while one looks at another fairy.
  const [leftOut, leaveOut] = useState<readonly string[]>([]);
  const [viewAlong, setViewAlong] = useState(true);
  const [picked, setPicked] = useState<readonly ContextItem[]>([]);
  const [picking, setPicking] = useState(false);
  const context = askContext({ page: page?.id, handle, selection, leftOut, viewAlong, picked });
  const latest = useRef(context);
  latest.current = context;
  const chats = useRef(new Map<string, Chat<FairyMessage>>());
  const chat = useMemo(() => {
    if (!fairy) return null;
    const known = chats.current.get(fairy.id);
    if (known) return known;
    const made = createChat(fairy.id, () => {
      // Picked for these words; the next ones may be about something else.
      setPicked([]);
      return latest.current();
    });
    chats.current.set(fairy.id, made);
    return made;
  }, [fairy?.id]);

  const pageId = page?.id;
  const pending = useMemo(() => (pageId ? pendingOn(workspace, pageId) : []), [workspace, pageId]);

  useEffect(() => {
    document.title = page ? strings.title(page.name || strings.page.untitled) : strings.product;
  }, [page]);

  useEffect(() => {
    setSelection(handle?.selection() ?? []);
    return handle?.onSelection((ids) => {
      setSelection(ids);
      leaveOut([]);
    });
  }, [handle]);

  useEffect(() => {
    if (focusAsked > 0) composer.current?.focus();
  }, [focusAsked]);

  useEffect(() => {
    const onHash = () => setWanted(readFragment(location.hash).page);
    addEventListener("hashchange", onHash);
    return () => removeEventListener("hashchange", onHash);
  }, []);

  const goToPage = useCallback((id: string) => {
    history.pushState(history.state, "", `#page=${encodeURIComponent(id)}`);
    setWanted(id);
  }, []);

  // A page just made is opened when the workspace has heard of it.
  const [made, setMade] = useState<string | null>(null);
  const arrived = made !== null && workspace.pages.some(({ id }) => id === made);
  useEffect(() => {
    if (!made || !arrived) return;
    setMade(null);
    goToPage(made);
  }, [made, arrived, goToPage]);

  // What to do on a page that has yet to open.
  const later = useRef<{ page: string; act(handle: CanvasHandle): void } | null>(null);
  const onPage = useCallback(
    (where: string, act: (handle: CanvasHandle) => void) => {
      if (where === pageId && handle) return act(handle);
      later.current = { page: where, act };
      if (where !== pageId) goToPage(where);
    },
    [pageId, handle, goToPage],
  );
  useEffect(() => {
    if (!handle || !later.current) return;
    const { page: where, act } = later.current;
    later.current = null;
    if (where === pageId) act(handle);
  }, [handle, pageId]);

  const pageActions: PageActions = {
    onChange: async (which, change) => void (await api.changePage(which.id, change)),
    onMove: async (which, to) => {
      const position = positionAt(orderedPages(workspace), which.id, to);
      if (position !== null) await api.changePage(which.id, { position });
    },
    onDuplicate: async (which) => setMade((await api.duplicatePage(which.id)).id),
    onDelete: async (which) => {
      await api.deletePage(which.id);
      const back = () => {
        setToast(null);
        api.restorePage(which.id).then(
          () => setMade(which.id),
          (error: Error) => setToast({ tone: "bad", text: error.message }),
        );
      };
      const text = strings.page.deleted(which.name || strings.page.untitled);
      setToast({ tone: "calm", text, action: { label: strings.page.undelete, run: back } });
    },
  };

  const talkTo = useCallback((id: string) => {
    setFairyId(id);
    setPanel("chat");
    setPanelOpen(true);
    askFocus((n) => n + 1);
  }, []);

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

  const showRun = useCallback(
    (run: Run) => onPage(run.page, (handle) => handle.scrollTo(shapesOf(handle, run.elements))),
    [onPage],
  );

  const diff = useCallback(
    (run: string, action: number) => handle && <ActionDiff run={run} action={action} handle={handle} />,
    [handle],
  );

  const goToRun = useCallback((who: string, run: string) => {
    setFairyId(who);
    setPanel("chat");
    setPanelOpen(true);
    setJump((was) => ({ run, count: (was?.count ?? 0) + 1 }));
  }, []);

  const find = (who: Fairy) => {
    const { position } = appearance(who, presenceOf(who.id, presences));
    onPage(who.page, (handle) => handle.scrollTo({ x: position.x - 300, y: position.y - 225, w: 600, h: 450 }));
  };

  const readOnly =
    session.permission === "read" || (open?.status.state === "saved" && open.status.permission === "read");
  // An older server says only whether one may write.
  const mayAsk = session.ops ? session.ops.includes("command") : !readOnly;
  const tasks = useTasks({ workspace, page: page?.id, handle, onToast: setToast });
  const threads = useComments(open?.session ?? null);
  const [thread, setThread] = useState<string | null>(null);
  const [commenting, setCommenting] = useState(false);
  const mayComment = session.ops ? session.ops.includes("comment") || session.ops.includes("edit") : !readOnly;
  const say = (words: Pick<NewComment, "element" | "x" | "y" | "parent" | "text">) =>
    open ? addComment(open.session.doc, { author: session.subject, authorName: session.name, ...words }, Date.now()) : null;
  const talkAbout: Pick<ThreadActions, "onReply" | "onReword" | "onResolve" | "onDelete"> = {
    onReply: (under, text) => say({ element: under.element, x: under.x, y: under.y, parent: under.id, text }),
    onReword: (comment, text) => open && rewordComment(open.session.doc, comment.id, text),
    onResolve: (which, resolved) => open && resolveComment(open.session.doc, which.id, resolved),
    onDelete: (comment) => open && deleteComment(open.session.doc, comment.id),
  };
  const deeds = useFairyDeeds({
    fairies: workspace.fairies,
    pages: workspace.pages,
    page: page?.id,
    handle,
    readOnly,
    look: (who) => appearance(who, presenceOf(who.id, presences)),
    onFind: find,
    onPage: goToPage,
    onToast: setToast,
    taskBounds: { shown: tasks.shown, toggle: tasks.toggle },
  });

  const newFairy = async () => {
    try {
      const made = await api.makeFairy(workspace.id, page ? { page: page.id } : {});
      deeds.configure(made);
    } catch (error) {
      problem(error instanceof Error ? error.message : strings.errors.unreachable);
    }
  };

  const chooseFairy = (id: string, also: boolean) => {
    const { chosen, choose } = deeds;
    choose(!also ? [id] : chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
    if (!also) setFairyId(id);
  };

  const speakTo = (id: string) => {
    const who = workspace.fairies.find((candidate) => candidate.id === id);
    if (!who || readOnly) return null;
    return (
      <SpriteInput
        fairy={who.name}
        busy={runningRun(workspace, id) !== undefined}
        onSend={(text) => composer.current?.say(text)}
        onStop={() => void api.stop(id).catch((error: Error) => problem(error.message))}
        onLeave={() => deeds.choose([])}
      />
    );
  };

  // A press on the canvas itself lets go of the chosen fairies; a selection drawn there may choose others.
  const letGo = (event: PointerEvent) => {
    if (event.target instanceof HTMLCanvasElement && deeds.chosen.length > 0 && !event.shiftKey) deeds.choose([]);
  };

  if (!page) return <p className="empty-page">{strings.failure.noPage}</p>;

  return (
    <div className="studio" data-panel={panelOpen ? "open" : "closed"}>
      <TopBar
        pages={
          <PageMenu
            page={page}
            pages={orderedPages(workspace)}
            fairies={workspace.fairies}
            waiting={(id) => pendingOn(workspace, id).length}
            readOnly={readOnly}
            onOpen={goToPage}
            onMake={async (name) => setMade((await api.makePage(workspace.id, name)).id)}
            {...pageActions}
          />
        }
        status={open?.status ?? { state: "connecting", waiting: 0, permission: session.permission }}
        people={people}
        tools={
          <TopTools
            panel={panel}
            busy={workspace.fairies.filter(({ id }) => runningRun(workspace, id)).length}
            tasks={tasks.list.filter(({ status }) => status !== "done").length}
            comments={threads.filter(({ resolved }) => !resolved).length}
            owner={session.subject === OWNER}
            onPanel={(next) => {
              setPanel(next);
              setPanelOpen(true);
            }}
            onWindow={setWindow}
          />
        }
      />
      <main className="stage" ref={nameEditorButtons} onPointerDownCapture={letGo}>
        {page.kind === "text" ? (
          <p className="empty-page">{strings.failure.textPage}</p>
        ) : (
          open && (
            <CanvasPage
              key={page.id}
              session={open.session}
              pageName={page.name || strings.page.untitled}
              blobs={blobs}
              onProblem={problem}
              readOnly={readOnly}
              theme={dark ? "dark" : "light"}
              onReady={(handle) => setReady({ page: page.id, handle })}
            >
              {handle && (
                <>
                  {fairy && mayAsk && <EmptyPage handle={handle} fairy={fairy.name} onPick={(prompt) => composer.current?.say(prompt)} />}
                  {tasks.shown && (
                    <TaskOverlay
                      handle={handle}
                      tasks={tasks.list}
                      fairies={workspace.fairies}
                      onOpen={() => {
                        setPanel("tasks");
                        setPanelOpen(true);
                      }}
                    />
                  )}
                  <PendingOverlay handle={handle} runs={pending} fairies={workspace.fairies} hot={lookedAt} />
                  <FairyOverlay
                    handle={handle}
                    page={page.id}
                    fairies={workspace.fairies}
                    presences={presences}
                    chosen={deeds.chosen}
                    readOnly={readOnly}
                    onChoose={chooseFairy}
                    onChooseOnly={deeds.choose}
                    onFollow={deeds.follow}
                    onMenu={deeds.menu}
                    onPut={deeds.put}
                    onTask={(who, task) => tasks.assign(task, who)}
                    speak={speakTo}
                  />
                  <CommentPins
                    handle={handle}
                    threads={threads}
                    open={thread}
                    onOpen={setThread}
                    me={session.subject}
                    mayComment={mayComment}
                    owner={session.subject === OWNER}
                    {...talkAbout}
                  />
                  {commenting && (
                    <CommentPlacer
                      handle={handle}
                      onSay={(at, text) => {
                        setCommenting(false);
                        setThread(say({ ...pinAt(at, handle), parent: null, text }));
                      }}
                      onLeave={() => setCommenting(false)}
                    />
                  )}
                  {picking && (
                    <PickOverlay
                      handle={handle}
                      onPick={(item) => {
                        setPicked((was) => [...was, item]);
                        setPicking(false);
                        composer.current?.focus();
                      }}
                      onLeave={() => setPicking(false)}
                    />
                  )}
                  {selection.length === 1 && selection[0] && (
                    <WhyMark
                      key={selection[0]}
                      handle={handle}
                      page={page.id}
                      element={selection[0]}
                      workspace={workspace}
                      onRun={goToRun}
                    />
                  )}
                </>
              )}
            </CanvasPage>
          )
        )}
        {open && <PageNotice open={open} />}
        {toast && <ToastView toast={toast} onDismiss={dismissToast} />}
        {deeds.windows}
        {fairy && !panelOpen && !phone && (
          <Dock fairy={fairy} waiting={runsToSettle(workspace, fairy.id).length} onOpen={() => talkTo(fairy.id)} />
        )}
      </main>
      {panelOpen && panel === "fairies" && (
        <FairiesPanel
          workspace={workspace}
          presences={presences}
          readOnly={readOnly}
          onTalk={talkTo}
          onMenu={deeds.menu}
          onNew={newFairy}
          onProblem={problem}
          onClose={() => setPanel("chat")}
        />
      )}
      {panelOpen && panel === "group" && (
        <GroupPanel
          workspace={workspace}
          presences={presences}
          readOnly={readOnly}
          context={() => {
            setPicked([]);
            return latest.current();
          }}
          onStop={(id) => void api.stop(id).catch((error: Error) => problem(error.message))}
          onProblem={problem}
          onClose={() => setPanel("chat")}
        />
      )}
      {panelOpen && panel === "tasks" && (
        <TasksPanel
          tasks={tasks.list}
          fairies={workspace.fairies}
          readOnly={readOnly}
          view={() => handle?.viewport() ?? null}
          shown={tasks.shown}
          onToggle={tasks.toggle}
          onMake={tasks.make}
          onClose={() => setPanel("chat")}
          {...tasks.actions}
        />
      )}
      {panelOpen && panel === "comments" && (
        <CommentsPanel
          threads={threads}
          mayComment={mayComment}
          onAdd={() => setCommenting(true)}
          onOpen={(thread) => {
            const at = handle && placeOf(thread, handle);
            if (at) handle.scrollTo({ x: at.x - 300, y: at.y - 225, w: 600, h: 450 });
            setThread(thread.id);
          }}
          onClose={() => setPanel("chat")}
        />
      )}
      {compared && handle && <ChangesDialog run={compared} handle={handle} onShow={show} onClose={closeCompared} />}
      {window === "share" && (
        <ShareDialog page={page} pages={workspace.pages} people={workspace.people} me={session.subject} onClose={closeWindow} />
      )}
      {window === "models" && <ModelsDialog onClose={closeWindow} />}
      {fairy && chat ? (
        <ChatPanel
          key={fairy.id}
          fairy={fairy}
          chat={chat}
          workspace={workspace}
          line={line}
          me={session.subject}
          presences={presences}
          page={page}
          readOnly={!mayAsk}
          selection={selection}
          phone={phone && panel === "chat"}
          open={panelOpen && panel === "chat"}
          composer={composer}
          jump={jump}
          chips={
            <ContextChips
              shapes={chipText(handle, selection, leftOut)}
              view={viewAlong}
              picked={picked}
              picking={picking}
              onLeaveOut={() => leaveOut(selection)}
              onView={setViewAlong}
              onPick={() => setPicking((was) => !was)}
              onUnpick={(at) => setPicked((was) => was.filter((_, index) => index !== at))}
            />
          }
          pick={<FairyPick fairies={workspace.fairies} current={fairy.id} onPick={setFairyId} onEveryone={() => setPanel("group")} />}
          shapesOf={(ids) => shapesOf(handle, ids)}
          onToggle={() => setPanelOpen((was) => !was)}
          onFind={find}
          onShow={show}
          onShowRun={showRun}
          onLookAtRun={lookAt}
          onChanges={setCompared}
          diff={diff}
        />
      ) : (
        <aside className="panel" data-testid="chat-panel" data-open="true">
          <div className="no-fairy">
            <p>{strings.panel.noFairy}</p>
            <p>{strings.panel.noFairyNext}</p>
          </div>
        </aside>
      )}
    </div>
  );
}
