import { UndoManager } from "loro-crdt";
import { dropCursor } from "prosemirror-dropcursor";
import { gapCursor } from "prosemirror-gapcursor";
import { EditorState, NodeSelection, TextSelection, type Command, type Transaction } from "prosemirror-state";
import { EditorView } from "prosemirror-view";
import "prosemirror-view/style/prosemirror.css";
import { useEffect, useRef, useState, type ReactNode } from "react";
import type { Blobs } from "../api/blobs";
import type { CanvasHandle } from "../canvas/types";
import { strings } from "../strings";
import "../styles/text.css";
import type { PageSession } from "../sync";
import { caretsKey, caretsPlugin, otherCarets, selectionPlaces, type OtherCaret } from "./carets";
import { keys, shortcuts } from "./commands";
import { FindBar } from "./FindBar";
import { findPlugin } from "./find";
import { TextHandle } from "./handle";
import { Outline, outlineOf, type OutlineEntry } from "./Outline";
import { schema } from "./schema";
import { SlashMenu, slashAt, type Slash } from "./SlashMenu";
import { isRemote, ownIds, TextBinding } from "./TextBinding";
import { Toolbar } from "./Toolbar";

export interface TextPageProps {
  session: PageSession;
  pageName: string;
  blobs: Blobs;
  readOnly: boolean;
  onReady(handle: CanvasHandle): void;
  onProblem(message: string): void;
  /** A person says something about words of a block: answers the comment's id, to anchor it. */
  onComment?(block: string, text: string): string | null;
  children?: ReactNode;
}

/** One's own steps; a fairy's and other people's are not among them. */
const UNDO_STEPS = 200;

/** A text page: ProseMirror bound to a page session. */
export function TextPage({ session, pageName, blobs, readOnly, onReady, onProblem, onComment, children }: TextPageProps) {
  const place = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const closed = useRef(readOnly);
  closed.current = readOnly;
  const ready = useRef(onReady);
  ready.current = onReady;
  const [state, setState] = useState<EditorState | null>(null);
  const [outline, setOutline] = useState<OutlineEntry[]>([]);
  const [others, setOthers] = useState<OtherCaret[]>([]);
  const [slash, setSlash] = useState<Slash | null>(null);
  const [finding, setFinding] = useState(false);
  const [focused, setFocused] = useState(false);

  useEffect(() => {
    const [at, around] = [place.current, scroller.current];
    if (!at || !around) return;
    let alive = true;
    let undoing: UndoManager | undefined;
    const undo = (step: "undo" | "redo") => () => {
      if (!closed.current) undoing?.[step]();
      return true;
    };
    const editor = new EditorView(at, {
      state: EditorState.create({
        schema,
        plugins: [...keys(undo("undo"), undo("redo")), shortcuts(), ownIds(), caretsPlugin(), findPlugin(), dropCursor(), gapCursor()],
      }),
      editable: () => !closed.current,
      attributes: { class: "text-page", role: "textbox", "aria-multiline": "true", "aria-label": strings.text.page(pageName) },
      dispatchTransaction(transaction: Transaction) {
        const before = editor.state;
        const { state: next, transactions } = before.applyTransaction(transaction);
        editor.updateState(next);
        if (transactions.some((one) => one.docChanged) && !isRemote(transaction)) binding.wrote(before.doc, next.doc);
        shown();
      },
      handleClickOn(_view, _pos, node, nodePos, event) {
        const box = event.target instanceof HTMLInputElement && event.target.type === "checkbox";
        if (!box || node.type.name !== "listItem" || closed.current) return false;
        editor.dispatch(editor.state.tr.setNodeMarkup(nodePos, null, { ...node.attrs, checked: !node.attrs.checked }));
        return true;
      },
      handleDOMEvents: {
        focus: () => (setFocused(true), false),
        blur: () => (setFocused(false), false),
      },
      handlePaste: (_view, event) => takeFiles(event.clipboardData?.files),
      handleDrop: (_view, event) => takeFiles(event.dataTransfer?.files),
    });
    const binding = new TextBinding(session.doc, {
      get state() {
        return editor.state;
      },
      show: (transaction) => {
        editor.updateState(editor.state.apply(transaction));
        shown();
      },
    });
    const handle = new TextHandle(editor, around);
    let frame = 0;
    let pageDoc = editor.state.doc;

    const takeFiles = (files: FileList | undefined): boolean => {
      const images = [...(files ?? [])].filter((file) => file.type.startsWith("image/"));
      for (const file of images) {
        blobs.put(file).then(
          (fileId) => editor.dispatch(editor.state.tr.replaceSelectionWith(schema.nodes.image!.create({ fileId, alt: file.name }))),
          (error: Error) => onProblem(error.message),
        );
      }
      return images.length > 0;
    };

    /** Once a frame: what stands around the words follows them. */
    const shown = () => {
      if (frame || !alive) return;
      frame = requestAnimationFrame(() => {
        frame = 0;
        if (!alive) return;
        const { state } = editor;
        setState(state);
        setSlash(slashAt(editor));
        handle.select(selectedBlocks(state));
        if (state.doc !== pageDoc) {
          pageDoc = state.doc;
          setOutline(outlineOf(state.doc));
          handle.sceneChanged();
        }
        session.setPresence({ caret: editor.hasFocus() ? selectionPlaces(state, session.doc) : null, selection: selectedBlocks(state) });
      });
    };

    const showOthers = () => {
      const all = new Map(Object.entries(session.presence.getAllStates() as Record<string, never>));
      const carets = otherCarets(all, session.peer, session.doc, editor.state);
      setOthers(carets);
      editor.updateState(editor.state.apply(editor.state.tr.setMeta(caretsKey, carets)));
    };

    const attach = () => {
      binding.attach(session.doc);
      undoing = new UndoManager(session.doc, { mergeInterval: 600, maxUndoSteps: UNDO_STEPS });
    };

    const ends: (() => void)[] = [];
    void session.ready().then(() => {
      if (!alive) return;
      attach();
      setOutline(outlineOf(editor.state.doc));
      ends.push(session.onDocReplaced(attach), session.onPresence(showOthers));
      showOthers();
      view.current = editor;
      window.__gladeText = { session, view: editor };
      ready.current(handle);
      shown();
    });
    const onScroll = () => handle.scrolled();
    around.addEventListener("scroll", onScroll);
    addEventListener("resize", onScroll);
    return () => {
      alive = false;
      cancelAnimationFrame(frame);
      ends.forEach((end) => end());
      around.removeEventListener("scroll", onScroll);
      removeEventListener("resize", onScroll);
      binding.detach();
      undoing?.free();
      editor.destroy();
      view.current = null;
      if (window.__gladeText?.view === editor) delete window.__gladeText;
    };
  }, [session, blobs, pageName, onProblem]);

  useEffect(() => {
    view.current?.setProps({ editable: () => !closed.current });
  }, [readOnly]);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "f" && view.current) {
        event.preventDefault();
        setFinding(true);
      }
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);

  const run = (command: Command) => {
    const editor = view.current;
    if (!editor) return;
    command(editor.state, editor.dispatch, editor);
    editor.focus();
  };

  const go = (block: string) => {
    const editor = view.current;
    if (!editor) return;
    editor.state.doc.forEach((node, at) => {
      if (node.attrs.id !== block) return;
      editor.dispatch(editor.state.tr.setSelection(TextSelection.near(editor.state.doc.resolve(at + 1))));
      (editor.nodeDOM(at) as HTMLElement | null)?.scrollIntoView({ block: "center" });
      editor.focus();
    });
  };

  const busy = others.filter(({ fairy, doing }) => fairy && doing);
  return (
    <div className="text-frame">
      <div className="text-scroller" ref={scroller} tabIndex={-1}>
        <Outline entries={outline} onGo={go} />
        <div className="text-column" ref={place} />
      </div>
      {state && view.current && !readOnly && focused && !state.selection.empty && !(state.selection instanceof NodeSelection) && (
        <Toolbar view={view.current} state={state} run={run} onComment={onComment} />
      )}
      {slash && view.current && !readOnly && <SlashMenu view={view.current} slash={slash} onClose={() => setSlash(null)} />}
      {finding && view.current && state && (
        <FindBar
          view={view.current}
          state={state}
          readOnly={readOnly}
          onClose={() => {
            setFinding(false);
            view.current?.focus();
          }}
        />
      )}
      {busy.length > 0 && (
        <p className="text-doing" role="status">
          {busy.map(({ name, doing }) => strings.text.doing(name, doing)).join(" · ")}
        </p>
      )}
      <div className="text-overlay">{children}</div>
    </div>
  );
}

/** The blocks that the selection reaches into; a mere caret selects nothing. */
function selectedBlocks(state: EditorState): string[] {
  const { from, to, empty } = state.selection;
  const ids: string[] = [];
  if (empty) return ids;
  state.doc.nodesBetween(from, to, (node, _, parent) => {
    if (parent === state.doc && node.attrs.id) ids.push(node.attrs.id);
    return false;
  });
  return ids;
}

declare global {
  interface Window {
    /** For end-to-end tests: the open text page. Nothing in the studio reads it. */
    __gladeText?: { session: PageSession; view: EditorView };
  }
}

export default TextPage;
