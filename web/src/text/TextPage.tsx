import { TextSelection, type Command } from "prosemirror-state";
import "prosemirror-view/style/prosemirror.css";
import { useEffect, useRef, useState, type ReactNode } from "react";
import type { Blobs } from "../api/blobs";
import { isPending } from "../api/workspace";
import type { CanvasHandle } from "../canvas/types";
import type { Thread } from "../comments/commentsDoc";
import { SetAsideNotice } from "../canvas/SetAsideNotice";
import { strings } from "../strings";
import "../styles/text.css";
import type { PageSession } from "../sync";
import { anchorsKey, anchorsPlugin } from "./anchors";
import { Beside, type Settling } from "./Beside";
import { changesPlugin, type WordChange } from "./changes";
import { Decide } from "./Decide";
import { FindBar } from "./FindBar";
import type { Mentionable } from "./MentionMenu";
import { Outline } from "./Outline";
import { blockOf } from "./places";
import type { Spot } from "../ui/Popup";
import { runProperty, safeLink } from "./schema";
import { useBarred } from "./useBarred";
import { pressedBeyond } from "./pressedBeyond";
import { useAbout } from "./useAbout";
import { WhileWriting } from "./WhileWriting";
import { useChanges } from "./useChanges";
import { useEditor } from "./useEditor";

export interface TextPageProps extends Settling {
  workspace: string;
  /** The names of the plugins that are switched off. */
  pluginsOff: readonly string[];
  session: PageSession;
  pageName: string;
  blobs: Blobs;
  readOnly: boolean;
  mentionable: readonly Mentionable[];
  threads: readonly Thread[];
  openThread: string | null;
  onThread(thread: string | null): void;
  onReady(handle: CanvasHandle): void;
  onProblem(message: string): void;
  /** A person says something about a block or words of it: answers the comment's id. Absent for who may not. */
  onComment?(block: string, text: string): string | null;
  /** Whether before and after are shown in the words. */
  showing: boolean;
  onShowing(show: boolean): void;
  /** A mention of a page was pressed. */
  onPage(page: string): void;
  children?: ReactNode;
}

/** A text page: the editor, and what stands around and over its words. */
export function TextPage({
  workspace,
  pluginsOff,
  session,
  pageName,
  blobs,
  readOnly,
  mentionable,
  threads,
  openThread,
  onThread,
  runs,
  author,
  maySettle,
  onSettle,
  showing,
  onShowing,
  onReady,
  onProblem,
  onComment: onTalk,
  onPage,
  children,
}: TextPageProps) {
  const barred = useBarred(workspace, pluginsOff);
  const onComment = barred.marks.has("comment-anchor") ? undefined : onTalk;
  const frame = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const [finding, setFinding] = useState(false);
  const [focused, setFocused] = useState(false);
  const [decided, setDecided] = useState(0);
  const [picked, pick] = useState<{ change: WordChange; at: Spot } | null>(null);
  const thread = useRef(onThread);
  thread.current = onThread;

  const { view, state, outline, others, slash, mention, aside, deleteSetAside, closeMenus, putPictures } = useEditor(place, scroller, {
    session,
    pageName,
    blobs,
    readOnly,
    barred,
    plugins: () => [
      anchorsPlugin((id) => thread.current(id)),
      changesPlugin((change, words) => pick({ change, at: words.getBoundingClientRect() })),
    ],
    onReady,
    onProblem,
    onFollow: (to) => ("page" in to ? onPage(to.page) : open(safeLink(to.href) ?? "#", "_blank", "noopener,noreferrer")),
  });
  const waiting = runs.filter(isPending);
  const settle: Settling["onSettle"] = (run, how, part) => onSettle(run, how, part).finally(() => setDecided((n) => n + 1));
  useChanges(view, session, waiting, showing, decided, onProblem);

  const unsettled = threads.filter(({ resolved, id }) => !resolved || id === openThread).map(({ id }) => id);
  const talk = `${unsettled.join()} ${openThread}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is new with every word; `talk` tells what matters of it
  useEffect(() => {
    view?.dispatch(view.state.tr.setMeta(anchorsKey, { ids: new Set(unsettled), open: openThread }));
  }, [view, talk]);

  useEffect(() => {
    if (picked && !runs.some(({ id }) => id === picked.change.run)) pick(null);
  }, [picked, runs]);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape") pick(null);
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "f" || !view) return;
      event.preventDefault();
      setFinding(true);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [view]);

  const run = (command: Command) => {
    if (!view) return;
    command(view.state, view.dispatch, view);
    view.focus();
  };

  const about = useAbout(view, session, readOnly, onComment);

  const go = (block: string) => {
    const found = view && blockOf(view.state.doc, block);
    if (!view || !found) return;
    view.dispatch(view.state.tr.setSelection(TextSelection.near(view.state.doc.resolve(found.at + 1))));
    (view.nodeDOM(found.at) as HTMLElement | null)?.scrollIntoView({ block: "center" });
    view.focus();
  };

  // Who goes from find to find wants to see what stands there.
  const seeking = finding && document.activeElement?.closest(".text-find");
  const busy = others.filter(({ fairy, doing }) => fairy && doing);
  const colors = Object.fromEntries(runs.map((one) => [runProperty(one.id), author(one).color]));
  const pickedRun = picked && waiting.find(({ id }) => id === picked.change.run);
  return (
    <div
      className="text-frame"
      ref={frame}
      style={colors}
      data-changes={showing || undefined}
      onFocus={() => setFocused(true)}
      onBlur={(event) => setFocused(event.currentTarget.contains(event.relatedTarget))}
      onPointerDown={(event) => {
        if (picked && event.target instanceof Element && !event.target.closest(".text-decide")) pick(null);
      }}
    >
      <div
        className="text-scroller"
        ref={scroller}
        tabIndex={-1}
        onMouseDown={(event) => view && !readOnly && pressedBeyond(event, view, run)}
      >
        <Outline entries={outline} onGo={go} />
        <div className="text-column" ref={place} />
      </div>
      {waiting.length > 0 && (
        <label className="text-changes">
          <input type="checkbox" checked={showing} onChange={(event) => onShowing(event.target.checked)} /> {strings.text.showChanges}
        </label>
      )}
      {view && state && (
        <Beside
          view={view}
          state={state}
          frame={frame}
          readOnly={readOnly}
          runs={waiting}
          author={author}
          maySettle={maySettle}
          onSettle={settle}
          run={run}
          onComment={onComment && about.block}
        />
      )}
      {view && state && (
        <WhileWriting
          view={view}
          state={state}
          session={session}
          barred={barred}
          active={!readOnly && focused && !about.shown && !seeking}
          slash={slash}
          mention={mention}
          mentionable={mentionable}
          run={run}
          onCloseMenus={closeMenus}
          onPictures={putPictures}
          onComment={onComment && about.words}
        />
      )}
      {about.box}
      {picked && pickedRun && maySettle(pickedRun) && (
        <Decide
          at={picked.at}
          label={strings.text.thisChange(author(pickedRun).name)}
          color={author(pickedRun).color}
          onKeep={() => settle(pickedRun, "keep", { elements: [picked.change.block], action: picked.change.action }).then(() => pick(null))}
          onUndo={() => settle(pickedRun, "undo", { elements: [picked.change.block], action: picked.change.action }).then(() => pick(null))}
        />
      )}
      {finding && view && state && (
        <FindBar
          view={view}
          state={state}
          readOnly={readOnly}
          onClose={() => {
            setFinding(false);
            view.focus();
          }}
        />
      )}
      {busy.length > 0 && (
        <p className="text-doing" role="status">
          {busy.map(({ name, doing }) => strings.text.doing(name, doing)).join(" · ")}
        </p>
      )}
      <div className="text-overlay">{children}</div>
      <SetAsideNotice aside={aside} {...(readOnly ? {} : { onDelete: deleteSetAside })} />
    </div>
  );
}

export default TextPage;
