import type { Chat } from "@ai-sdk/react";
import { useCallback, useEffect, useMemo, useRef, useState, type PointerEvent } from "react";
import { blobs } from "../api/blobs";
import { api } from "../api/client";
import type { Line } from "../api/store";
import type { Fairy, Run, Session, Workspace } from "../api/types";
import { orderedPages, pageToOpen, pendingOn, runningRun, runsToSettle } from "../api/workspace";
import { CanvasPage, type CanvasHandle } from "../canvas";
import { ChatPanel } from "../chat/ChatPanel";
import type { ComposerHandle } from "../chat/Composer";
import type { RunJump } from "../chat/Conversation";
import { ContextChips } from "../chat/ContextChips";
import { askContext, chipText } from "../chat/context";
import { createChat } from "../chat/createChat";
import type { FairyMessage } from "../chat/message";
import { FairyOverlay } from "../fairies/FairyOverlay";
import { appearance, presenceOf } from "../fairies/roster";
import { SpriteInput } from "../fairies/SpriteInput";
import { PendingOverlay } from "../pending/PendingOverlay";
import { strings } from "../strings";
import type { Presence } from "../sync";
import { WhyMark } from "../why/WhyMark";
import { Dock } from "./Dock";
import { nameEditorButtons } from "./editorNames";
import { FairyPick } from "./FairyPick";
import { PageMenu } from "./PageMenu";
import { positionAt } from "./pageOrder";
import { PageNotice } from "./PageNotice";
import type { PageActions } from "./PageTools";
import { peopleHere } from "./people";
import { readFragment } from "./session";
import { shapesOf, showShapes } from "./shapes";
import { ToastView, type Toast } from "./Toast";
import { TopBar } from "./TopBar";
import { useFairyDeeds } from "./useFairyDeeds";
import { useDark, usePhone } from "./useMedia";
import { usePageSession } from "./usePageSession";
import { fairyPresences, usePresence } from "./usePresence";

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
  const context = askContext({ page: page?.id, handle, selection, leftOut, viewAlong });
  const latest = useRef(context);
  latest.current = context;
  const chats = useRef(new Map<string, Chat<FairyMessage>>());
  const chat = useMemo(() => {
    if (!fairy) return null;
    const known = chats.current.get(fairy.id);
    if (known) return known;
    const made = createChat(fairy.id, () => latest.current());
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

  const goToRun = useCallback((who: string, run: string) => {
    setFairyId(who);
    setPanelOpen(true);
    setJump((was) => ({ run, count: (was?.count ?? 0) + 1 }));
  }, []);

  const find = (who: Fairy) => {
    const { position } = appearance(who, presenceOf(who.id, presences));
    onPage(who.page, (handle) => handle.scrollTo({ x: position.x - 300, y: position.y - 225, w: 600, h: 450 }));
  };

  const readOnly =
    session.permission === "read" || (open?.status.state === "saved" && open.status.permission === "read");
  const deeds = useFairyDeeds({
    fairies: workspace.fairies,
    pages: workspace.pages,
    page: page?.id,
    handle,
    readOnly,
    look: (who) => appearance(who, presenceOf(who.id, presences)),
    onFind: find,
    onToast: setToast,
  });

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
                    speak={speakTo}
                  />
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
          readOnly={readOnly}
          selection={selection}
          phone={phone}
          open={panelOpen}
          composer={composer}
          jump={jump}
          chips={
            <ContextChips
              shapes={chipText(handle, selection, leftOut)}
              view={viewAlong}
              onLeaveOut={() => leaveOut(selection)}
              onView={setViewAlong}
            />
          }
          pick={<FairyPick fairies={workspace.fairies} current={fairy.id} onPick={setFairyId} />}
          shapesOf={(ids) => shapesOf(handle, ids)}
          onToggle={() => setPanelOpen((was) => !was)}
          onFind={find}
          onShow={show}
          onShowRun={showRun}
          onLookAtRun={lookAt}
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
