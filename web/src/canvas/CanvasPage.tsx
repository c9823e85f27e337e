import { useHandleLibrary } from "@excalidraw/excalidraw";
import "@excalidraw/excalidraw/index.css";
import type { ExcalidrawImperativeAPI, ExcalidrawProps } from "@excalidraw/excalidraw/types";
import { useCallback, useEffect, useMemo, useRef, useState, type CSSProperties, type KeyboardEvent } from "react";
import { strings } from "../strings";
import type { PageSession } from "../sync";
import { Caution } from "./Caution";
import { Editor } from "./Editor";
import { EditorBinding } from "./EditorBinding";
import { EditorBoundary } from "./EditorBoundary";
import { dropOn, FileChooser } from "./FileChooser";
import { Handle } from "./handle";
import { libraryAdapter } from "./library";
import { onMotion } from "./motion";
import { Pictures } from "./pictures";
import type { SetAside } from "./SceneShadow";
import { isTidyKey, tidy } from "./tidy";
import { SetAsideNotice } from "./SetAsideNotice";
import type { CanvasHandle, CanvasPageProps } from "./types";

declare global {
  interface Window {
    /** For end-to-end tests: the open page as the studio sees it. Nothing in the studio reads it. */
    __glade?: { session: PageSession; handle: CanvasHandle };
  }
}

/** Others need not see every one of a thousand selected elements, and presence must stay small. */
const MOST_SHOWN = 200;

const FILL: CSSProperties = { position: "absolute", inset: 0 };

/** Its own stacking context: the overlay lies over the drawing and under the editor's toolbars. */
const FRAME: CSSProperties = { ...FILL, isolation: "isolate", overflow: "hidden" };
const OVERLAY: CSSProperties = { ...FILL, zIndex: 3, pointerEvents: "none", overflow: "hidden" };

/** A canvas page: Excalidraw bound to a page session, with room for an overlay. */
export function CanvasPage({ session, pageName, blobs, readOnly, theme = "light", onReady, onProblem, children }: CanvasPageProps) {
  const [api, setApi] = useState<ExcalidrawImperativeAPI | null>(null);
  const [started, setStarted] = useState(false);
  const [aside, setAside] = useState<SetAside[]>([]);
  const binding = useRef<EditorBinding | null>(null);
  /** The binding from its first moment on, before the page is shown. */
  const running = useRef<EditorBinding | null>(null);
  const handle = useRef<Handle | null>(null);
  const pictures = useRef<Pictures | null>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  useHandleLibrary({ excalidrawAPI: api, adapter: libraryAdapter, validateLibraryUrl: () => false });
  const ready = useRef(onReady);
  ready.current = onReady;
  const closed = useRef(readOnly);
  closed.current = readOnly;

  const caution = useMemo(() => new Caution(), [session]);
  const [attempt, setAttempt] = useState(0);
  // An editor that broke says nothing more of the page; another is made in its place.
  const broke = useCallback(
    (error: unknown): boolean => {
      console.error("glade: the editor broke", error);
      running.current?.stop();
      const worthIt = caution.broke();
      if (worthIt) setAttempt((last) => last + 1);
      return worthIt;
    },
    [caution],
  );
  const [gaveUp, setGaveUp] = useState<{ error: unknown } | null>(null);
  const again = useCallback((error: unknown) => void (broke(error) || setGaveUp({ error })), [broke]);

  useEffect(() => {
    if (!api) {
      return;
    }
    const bound = new EditorBinding(api, session, setAside, caution, again);
    running.current = bound;
    bound.readOnly = closed.current;
    const made = new Handle(api);
    const kept = new Pictures(api, blobs);
    kept.readOnly = closed.current;
    let alive = true;
    void session
      .ready()
      .then(() => (alive ? bound.start() : undefined))
      .then(() => {
        if (alive) {
          binding.current = bound;
          handle.current = made;
          pictures.current = kept;
          kept.look(api.getSceneElements());
          window.__glade = { session, handle: made };
          showAll(api);
          setStarted(true);
          made.refresh(api.getAppState());
          session.setPresence({ viewport: made.viewport() });
          focusIfFree(frame.current);
          ready.current(made);
        }
      });
    return () => {
      alive = false;
      binding.current = null;
      handle.current = null;
      pictures.current = null;
      kept.stop();
      bound.stop();
      setAside([]);
      setStarted(false);
      if (window.__glade?.handle === made) {
        delete window.__glade;
      }
    };
  }, [api, session, blobs, caution, again]);

  useEffect(() => {
    if (binding.current) {
      binding.current.readOnly = readOnly;
    }
    if (pictures.current) {
      pictures.current.readOnly = readOnly;
    }
  }, [readOnly, started]);

  useEffect(() => {
    const made = handle.current;
    if (!started || !made) {
      return;
    }
    const ends = [
      made.onViewport((viewport) => {
        binding.current?.viewMoved();
        session.setPresence({ viewport });
      }),
      // What others do and a moving view are one drawing; at rest what others do shows a frame sooner.
      onMotion(made, (moves) => (window.EXCALIDRAW_THROTTLE_RENDER = moves)),
      made.onSelection((ids) => session.setPresence({ selection: ids.slice(0, MOST_SHOWN) })),
    ];
    return () => ends.forEach((end) => end());
  }, [started, session]);

  const changed = useCallback<NonNullable<ExcalidrawProps["onChange"]>>((elements, state) => {
    const different = binding.current?.changed(elements, state);
    pictures.current?.look(elements);
    handle.current?.refresh(state);
    if (different) handle.current?.sceneChanged();
  }, []);
  const incremented = useCallback<NonNullable<ExcalidrawProps["onIncrement"]>>((increment) => binding.current?.incremented(increment), []);
  const scrolled = useCallback(() => api && handle.current?.refresh(api.getAppState()), [api]);
  const pointed = useCallback<NonNullable<ExcalidrawProps["onPointerUpdate"]>>(
    ({ pointer }) => session.setPresence({ cursor: { x: pointer.x, y: pointer.y } }),
    [session],
  );
  const keep = useCallback((file: File) => blobs.put(file), [blobs]);
  // The editor keeps Tab for the kinds of a selected shape, and would never let go of it when there is none.
  const letTabGo = (event: KeyboardEvent) => {
    const selected = api && !api.isDestroyed && Object.keys(api.getAppState().selectedElementIds).length > 0;
    if (event.key === "Tab" && !selected && !(event.target instanceof HTMLTextAreaElement)) event.stopPropagation();
  };
  const layOut = useCallback(() => {
    if (api && !api.isDestroyed) tidy(api, session.pageId).catch(() => onProblem(strings.files.tidyFailed));
  }, [api, session, onProblem]);
  const tidyOnKey = (event: KeyboardEvent) => {
    if (readOnly || !isTidyKey(event.nativeEvent) || event.target instanceof HTMLTextAreaElement) return;
    event.preventDefault();
    event.stopPropagation();
    layOut();
  };
  const chooseFiles = useCallback(() => chooser.current?.click(), []);

  if (gaveUp) throw gaveUp.error;
  return (
    <div
      ref={frame}
      style={FRAME}
      onKeyDownCapture={(event) => {
        letTabGo(event);
        tidyOnKey(event);
      }}
      onMouseLeave={() => session.setPresence({ cursor: null })}
      onDropCapture={(event) => api && !readOnly && dropOn({ page: session.pageId, api, blobs, onProblem }, event)}
    >
      <EditorBoundary attempt={attempt} onBroke={broke}>
        <Editor
          api={api}
          onInitialize={setApi}
          onChange={changed}
          onIncrement={incremented}
          onScrollChange={scrolled}
          onPointerUpdate={pointed}
          viewModeEnabled={readOnly || !started}
          theme={theme}
          generateIdForFile={keep}
          pageId={session.pageId}
          pageName={pageName}
          readOnly={readOnly}
          onImport={chooseFiles}
          onTidy={layOut}
          onProblem={onProblem}
        />
      </EditorBoundary>
      {api && <FileChooser ref={chooser} page={session.pageId} api={api} blobs={blobs} onProblem={onProblem} />}
      <div style={OVERLAY}>{children}</div>
      <SetAsideNotice aside={aside} {...(readOnly ? {} : { onDelete: (ids: readonly string[]) => binding.current?.deleteSetAside(ids) })} />
    </div>
  );
}

/** A page opens where there is something to see. */
function showAll(api: ExcalidrawImperativeAPI): void {
  const elements = api.getSceneElements();
  if (elements.length > 0) {
    api.setViewport({ target: elements, fit: "scale-down", animation: false });
  }
}

/** The editor hears keys only when it has the focus: it gets it where nobody else has. */
function focusIfFree(frame: HTMLElement | null): void {
  if (document.activeElement === document.body) {
    frame?.querySelector<HTMLElement>(".excalidraw")?.focus({ preventScroll: true });
  }
}
