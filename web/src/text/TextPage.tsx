import { NodeSelection, TextSelection, type Command } from "prosemirror-state";
import "prosemirror-view/style/prosemirror.css";
import { useEffect, useRef, useState, type MouseEvent, type ReactNode } from "react";
import type { Blobs } from "../api/blobs";
import { isPending } from "../api/workspace";
import type { CanvasHandle } from "../canvas/types";
import type { Thread } from "../comments/commentsDoc";
import { Words } from "../comments/Words";
import { SetAsideNotice } from "../canvas/SetAsideNotice";
import { strings } from "../strings";
import "../styles/text.css";
import type { PageSession } from "../sync";
import { anchorsKey, anchorsPlugin, anchorWords } from "./anchors";
import { AskLine, type Question } from "./AskLine";
import { Beside, type Settling } from "./Beside";
import { rangeOf, selectionPlaces, type CaretRange } from "./carets";
import { changesPlugin, type WordChange } from "./changes";
import { insertBlock } from "./commands";
import { Decide } from "./Decide";
import { pressBeyond } from "./edges";
import { FindBar } from "./FindBar";
import { MentionMenu, type Mentionable } from "./MentionMenu";
import { Outline } from "./Outline";
import { blockOf } from "./places";
import { Popup, type Spot } from "../ui/Popup";
import { runProperty, safeLink } from "./schema";
import { SlashMenu } from "./SlashMenu";
import { TableTools, Toolbar } from "./Toolbar";
import { useBarred } from "./useBarred";
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

/** Words, or a block, that somebody is about to say something about. */
interface About {
  block: string;
  words: CaretRange | null;
  at: Spot;
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
  const picture = useRef<HTMLInputElement>(null);
  const [finding, setFinding] = useState(false);
  const [focused, setFocused] = useState(false);
  const [question, ask] = useState<Question | null>(null);
  const [about, setAbout] = useState<About | null>(null);
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

  const go = (block: string) => {
    const found = view && blockOf(view.state.doc, block);
    if (!view || !found) return;
    view.dispatch(view.state.tr.setSelection(TextSelection.near(view.state.doc.resolve(found.at + 1))));
    (view.nodeDOM(found.at) as HTMLElement | null)?.scrollIntoView({ block: "center" });
    view.focus();
  };

  const askFor = (kind: string) => {
    if (kind === "image") return picture.current?.click();
    if (!view) return;
    ask({
      label: strings.text.embedTo,
      start: "https://",
      at: view.coordsAtPos(view.state.selection.from),
      check: (href) => (/^https?:\/\/./.test(href) && safeLink(href) ? null : strings.text.badLink),
      done: (href) => run(insertBlock("embed", { href })),
    });
  };

  const describe = (picture: string, alt: string) =>
    run((now, dispatch) => {
      const found = blockOf(now.doc, picture);
      if (found) dispatch?.(now.tr.setNodeMarkup(found.at, null, { ...found.node.attrs, alt }));
      return found !== null;
    });

  const aboutBlock = (block: string) => {
    const found = view && blockOf(view.state.doc, block);
    const dom = found && view.nodeDOM(found.at);
    if (dom instanceof HTMLElement) setAbout({ block, words: null, at: dom.getBoundingClientRect() });
  };

  const aboutWords = () => {
    const selection = view?.state.selection;
    const block = selection?.$from.node(1)?.attrs.id as string | undefined;
    if (view && selection && block)
      setAbout({ block, words: selectionPlaces(view.state, session.doc), at: view.coordsAtPos(selection.from) });
  };

  const say = ({ block, words }: About, text: string) => {
    setAbout(null);
    const id = onComment?.(block, text);
    const where = view && words && rangeOf(words, session.doc, view.state);
    if (id && where && !readOnly) view.dispatch(anchorWords(view.state, where, id));
  };

  /** The selection, wherever it goes while a question about it is answered. */
  const hold = () => {
    const words = view && selectionPlaces(view.state, session.doc);
    return () => (view && words ? rangeOf(words, session.doc, view.state) : (view?.state.selection ?? null));
  };

  /** Beside the words, but not on a scroll bar: below or above all of them one goes on writing. */
  const pressed = (event: MouseEvent) => {
    const target = event.target;
    const beside = target === scroller.current || target === place.current || target === view?.dom;
    if (!view || readOnly || !beside || event.button !== 0 || event.nativeEvent.offsetX >= event.currentTarget.clientWidth) return;
    const [first, last] = [view.dom.firstElementChild, view.dom.lastElementChild];
    const by =
      last && event.clientY > last.getBoundingClientRect().bottom
        ? 1
        : first && event.clientY < first.getBoundingClientRect().top
          ? -1
          : null;
    if (by === null) return;
    event.preventDefault();
    run(pressBeyond(by));
  };

  const selection = state?.selection;
  const image = selection instanceof NodeSelection && selection.node.type.name === "image" ? selection : null;
  // Who goes from find to find wants to see what stands there.
  const seeking = finding && document.activeElement?.closest(".text-find");
  const writing = view && state && selection && !readOnly && focused && !question && !about && !seeking;
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
      <div className="text-scroller" ref={scroller} tabIndex={-1} onMouseDown={pressed}>
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
          onComment={onComment && aboutBlock}
        />
      )}
      {writing && !selection.empty && !(selection instanceof NodeSelection) && (
        <Toolbar view={view} state={state} barred={barred} run={run} hold={hold} onAsk={ask} onComment={onComment && aboutWords} />
      )}
      {writing && selection.empty && selection.$from.parent.type.name === "tableCell" && !barred.blocks.has("tableRow") && (
        <TableTools view={view} state={state} run={run} />
      )}
      {writing && image && (
        <Popup at={view.coordsAtPos(image.from)} className="text-toolbar" label={strings.text.describe} role="toolbar">
          <button
            type="button"
            className="text-tool"
            onClick={() =>
              ask({
                label: strings.text.describe,
                start: image.node.attrs.alt,
                at: view.coordsAtPos(image.from),
                done: (alt) => describe(image.node.attrs.id, alt),
              })
            }
          >
            {strings.text.describe}
          </button>
        </Popup>
      )}
      {slash && view && <SlashMenu view={view} slash={slash} barred={barred} onAsk={askFor} onClose={closeMenus} />}
      {mention && view && !barred.marks.has("mention") && (
        <MentionMenu view={view} typed={mention} known={mentionable} onClose={closeMenus} />
      )}
      {question && <AskLine question={question} onClose={() => ask(null)} />}
      {about && (
        <Popup at={about.at} className="text-say" label={strings.comments.add} role="dialog" onClose={() => setAbout(null)}>
          <Words label={strings.comments.say} send={strings.comments.send} onSend={(text) => say(about, text)} />
        </Popup>
      )}
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
      <input
        ref={picture}
        type="file"
        accept="image/*"
        hidden
        aria-label={strings.text.kinds.image}
        onChange={(event) => {
          putPictures([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
      <div className="text-overlay">{children}</div>
      <SetAsideNotice aside={aside} {...(readOnly ? {} : { onDelete: deleteSetAside })} />
    </div>
  );
}

export default TextPage;
