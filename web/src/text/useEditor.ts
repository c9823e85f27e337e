import { dropCursor } from "prosemirror-dropcursor";
import { gapCursor } from "prosemirror-gapcursor";
import type { Slice } from "prosemirror-model";
import { AllSelection, EditorState, Selection, type Plugin, type Transaction } from "prosemirror-state";
import { EditorView } from "prosemirror-view";
import { useEffect, useRef, useState, type RefObject } from "react";
import { flushSync } from "react-dom";
import type { Blobs } from "../api/blobs";
import { strings } from "../strings";
import type { SetAside } from "../canvas/SceneShadow";
import { MOST_SELECTED, type PageSession } from "../sync";
import { blockViews, openFormula } from "./blockViews";
import { carryOut } from "./autoformat";
import { caretsKey, caretsPlugin, otherCarets, selectionPlaces, type OtherCaret } from "./carets";
import { codeColors } from "./codeColors";
import { blockAt, insertBlock, insertBlocks, keys } from "./commands";
import { fileTaker, takeBeside } from "./takeFiles";
import { freshCaret, takeOverCaret } from "./freshCaret";
import { findPlugin } from "./find";
import { TextHandle } from "./handle";
import { formulasInLine } from "./inlineFormulas";
import { leaving } from "./leaving";
import { outlineOf, type OutlineEntry } from "./Outline";
import { listNumbers } from "./listNumbers";
import { pastedText } from "./markdown";
import { flattened } from "./pasted";
import { schema } from "./schema";
import { shortcuts } from "./shortcuts";
import { isRemote, ownIds, TextBinding, type Editor as Bound } from "./TextBinding";
import { mentionAt, sameTyped, slashAt, type Typed } from "./typed";
import { OwnSteps } from "./undoing";
import type { Barred } from "./useBarred";

interface EditorProps {
  session: PageSession;
  pageName: string;
  blobs: Blobs;
  readOnly: boolean;
  barred: Barred;
  /** Further plugins; taken once, when the editor is made. */
  plugins(): Plugin[];
  onReady(handle: TextHandle): void;
  onProblem(message: string): void;
  /** A mention or a link was pressed. */
  onFollow(target: { page: string } | { href: string }): void;
}

/** What was typed that a menu under the caret answers. */
interface Menus {
  slash: Typed | null;
  mention: Typed | null;
}

const NO_MENUS: Menus = { slash: null, mention: null };

export interface Editor extends Menus {
  /** Null until the page is there. */
  view: EditorView | null;
  state: EditorState | null;
  outline: readonly OutlineEntry[];
  others: readonly OtherCaret[];
  /** Blocks that cannot be shown. */
  aside: readonly SetAside[];
  deleteSetAside(ids: readonly string[]): void;
  /** Closes the menus under the caret until something else is typed. */
  closeMenus(): void;
  putPictures(files: readonly File[]): void;
}

/** The editor as what ties it to the document needs it. */
const bound = (editor: EditorView, shown: () => void): Bound => ({
  get state() {
    return editor.state;
  },
  takeOver: () => takeOverCaret(editor),
  show: (transaction) => {
    editor.updateState(editor.state.apply(transaction));
    shown();
  },
});

/** ProseMirror bound to a page session, and what the page around it needs to know of it. */
export function useEditor(place: RefObject<HTMLElement | null>, scroller: RefObject<HTMLElement | null>, props: EditorProps): Editor {
  const { session, pageName, blobs, readOnly } = props;
  const view = useRef<EditorView | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const [state, setState] = useState<EditorState | null>(null);
  const [outline, setOutline] = useState<OutlineEntry[]>([]);
  const [others, setOthers] = useState<OtherCaret[]>([]);
  const [menus, setMenus] = useState<Menus>(NO_MENUS);
  const [aside, setAside] = useState<readonly SetAside[]>([]);
  const deleting = useRef<(ids: readonly string[]) => void>(() => {});
  const typed = useRef(NO_MENUS);
  const closed = useRef<Typed | null>(null);

  /** After a block, or that which the caret is in now, wherever it is when they have arrived. */
  const putPictures = (files: readonly File[], beside?: string) => {
    const now = view.current?.state;
    const here = now && blockAt(now);
    const block: string | undefined = beside ?? (here ? now.doc.child(here.index).attrs.id : undefined);
    Promise.all(files.map(async (file) => ({ fileId: await blobs.put(file), alt: file.name }))).then(
      (all) => {
        const editor = view.current;
        if (editor && all.length > 0) insertBlock("image", all, block)(editor.state, editor.dispatch, editor);
      },
      (error: Error) => latest.current.onProblem(error.message),
    );
  };
  const pictures = useRef(putPictures);
  pictures.current = putPictures;

  useEffect(() => {
    const [at, around] = [place.current, scroller.current];
    if (!at || !around) return;
    let alive = true;
    let undoing: OwnSteps | undefined;
    const undo = (step: "undo" | "redo") => () => {
      if (!latest.current.readOnly) undoing?.[step]();
      return true;
    };
    const barred = () => latest.current.barred;
    const { takeFiles, takeDropped } = fileTaker({
      now: () => latest.current,
      put: (blocks, beside) => alive && insertBlocks(blocks, beside)(editor.state, editor.dispatch, editor),
      putPictures: (files, beside) => pictures.current(files, beside),
    });
    /** Beside the words: after the last of them. */
    const endDrops = takeBeside(around, (event) => takeDropped(event, editor.state.doc.lastChild?.attrs.id));
    const editor = new EditorView(at, {
      state: EditorState.create({
        schema,
        plugins: [
          freshCaret(),
          leaving(),
          ...keys(undo("undo"), undo("redo"), barred),
          shortcuts(barred),
          ownIds(),
          caretsPlugin(),
          findPlugin(),
          codeColors(),
          openFormula(),
          formulasInLine(),
          listNumbers(),
          ...latest.current.plugins(),
          dropCursor({ color: "var(--focus)", width: 2 }),
          gapCursor(),
        ],
      }),
      nodeViews: blockViews,
      editable: () => !latest.current.readOnly,
      attributes: {
        class: "text-page",
        role: "textbox",
        "aria-multiline": "true",
        "aria-label": strings.text.page(pageName),
        "aria-description": strings.text.wayOut,
        "data-placeholder": strings.text.placeholder,
      },
      dispatchTransaction(transaction: Transaction) {
        carryOut(transaction, editor.state, {
          show: (state) => editor.updateState(state),
          wrote: (before, after) => !isRemote(transaction) && binding.wrote(before, after),
          apart: (write) => (undoing ? undoing.apart(write) : write()),
        });
        shown();
      },
      handleClickOn(_view, _pos, node, nodePos, event) {
        const box = event.target instanceof HTMLInputElement && event.target.type === "checkbox";
        if (!box || node.type.name !== "listItem" || latest.current.readOnly) return false;
        editor.dispatch(editor.state.tr.setNodeMarkup(nodePos, null, { ...node.attrs, checked: !node.attrs.checked }));
        return true;
      },
      handleClick(_view, _pos, event) {
        const target = event.target instanceof Element ? event.target : null;
        const page = pageOf(target?.closest<HTMLElement>(".text-mention")?.dataset.mention);
        if (page) latest.current.onFollow({ page });
        const href = target?.closest("a")?.getAttribute("href");
        // The browser itself follows links only where nothing can be edited.
        if (href && (event.ctrlKey || event.metaKey) && target?.closest("[contenteditable]") === editor.dom && editor.editable)
          latest.current.onFollow({ href });
        return false;
      },
      transformPastedHTML: flattened,
      // Given nothing, the editor takes the text for lines.
      clipboardTextParser: (text, $at, literally) => pastedText(text, $at, literally, barred()) as Slice,
      handlePaste: (_view, event) => takeFiles(event.clipboardData),
      handleDrop: (view, event) => {
        const at = view.posAtCoords({ left: event.clientX, top: event.clientY });
        const $at = at && view.state.doc.resolve(at.pos);
        const block = $at && ($at.depth > 0 ? $at.node(1) : ($at.nodeBefore ?? $at.nodeAfter));
        return takeDropped(event, block?.attrs.id);
      },
    });
    const page = bound(editor, () => shown());
    // The same list again and again is no news.
    const tell = (now: SetAside[]) => setAside((was) => (JSON.stringify(was) === JSON.stringify(now) ? was : now));
    const binding = new TextBinding(session.doc, page, tell);
    deleting.current = (ids) => binding.deleteSetAside(ids);
    const handle = new TextHandle(editor, around);
    let frame = 0;
    let pageDoc = editor.state.doc;

    /** At once, and on the screen: Enter may come with the next key. */
    const showMenus = (state: EditorState) => {
      let next: Menus = { slash: slashAt(state), mention: mentionAt(state) };
      if ((next.slash ?? next.mention)?.from !== closed.current?.from) closed.current = null;
      if (closed.current) next = NO_MENUS;
      const was = typed.current;
      if (sameTyped(was.slash, next.slash) && sameTyped(was.mention, next.mention)) return;
      typed.current = next;
      flushSync(() => setMenus(next));
    };

    /** Once a frame: what stands around the words follows them. */
    const shown = () => {
      if (!alive) return;
      showMenus(editor.state);
      if (frame) return;
      frame = requestAnimationFrame(() => {
        frame = 0;
        if (!alive) return;
        const { state } = editor;
        setState(state);
        handle.select(selectedBlocks(state));
        if (state.doc !== pageDoc) {
          pageDoc = state.doc;
          setOutline(outlineOf(state.doc));
          handle.sceneChanged();
        }
        session.setPresence({
          caret: editor.hasFocus() ? selectionPlaces(state, session.doc) : null,
          selection: selectedBlocks(state).slice(0, MOST_SELECTED),
        });
      });
    };

    const showOthers = () => {
      const carets = otherCarets(session.presences(), session.peer, session.doc, editor.state);
      setOthers(carets);
      takeOverCaret(editor);
      editor.updateState(editor.state.apply(editor.state.tr.setMeta(caretsKey, carets)));
    };

    const attach = () => {
      binding.attach(session.doc);
      // On the page that was empty a moment ago everything is selected.
      if (editor.state.selection instanceof AllSelection)
        editor.updateState(editor.state.apply(editor.state.tr.setSelection(Selection.atStart(editor.state.doc))));
      undoing?.free();
      undoing = new OwnSteps(session.doc);
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
      latest.current.onReady(handle);
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
      endDrops();
      removeEventListener("resize", onScroll);
      binding.detach();
      undoing?.free();
      editor.destroy();
      view.current = null;
      if (window.__gladeText?.view === editor) delete window.__gladeText;
    };
  }, [session, pageName, place, scroller]);

  useEffect(() => {
    view.current?.setProps({ editable: () => !latest.current.readOnly });
  }, [readOnly]);

  return {
    view: view.current,
    state,
    outline,
    others,
    ...(readOnly ? NO_MENUS : menus),
    aside,
    deleteSetAside: (ids) => deleting.current(ids),
    closeMenus: () => {
      closed.current = menus.slash ?? menus.mention;
      typed.current = NO_MENUS;
      setMenus(NO_MENUS);
    },
    putPictures,
  };
}

/** The page that a mention is of, if it is one. */
function pageOf(mention: string | undefined): string | null {
  try {
    const value: unknown = JSON.parse(mention ?? "null");
    const page = typeof value === "object" && value !== null ? (value as { page?: unknown }).page : null;
    return typeof page === "string" ? page : null;
  } catch {
    return null;
  }
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
