import { gutter, GutterMarker, EditorView } from "@codemirror/view";
import { useEffect, useRef, useState } from "react";
import type { Fairy, Workspace } from "../api/types";
import { strings } from "../strings";
import { codeApi } from "./client";
import { AtWork } from "./AtWork";
import { reader } from "./editor";
import { showWork, workLines } from "./workLines";
import type { CodeChat, FileShown } from "./types";
import { WhyLine } from "./WhyLine";
import type { Whereabouts } from "./whereabouts";

interface FileViewProps {
  path: string;
  /** The line to go to; each new object is a new wish. */
  at: { line: number } | null;
  /** A fairy is at work in it. */
  work: Whereabouts | null;
  fairy: Fairy | undefined;
  version: number;
  workspace: Workspace;
  chats: readonly CodeChat[];
  onChat(chat: string, run: string): void;
  onChanges(run: string): void;
}

/** Beside a line that a run wrote. */
class RunMark extends GutterMarker {
  constructor(readonly run: string) {
    super();
  }

  override eq(other: RunMark) {
    return other.run === this.run;
  }

  override toDOM() {
    const mark = document.createElement("span");
    mark.className = "run-mark";
    return mark;
  }
}

/** A file as it is now, and for every line: why is it here? */
export function FileView({ path, at, work, fairy, version, workspace, chats, onChat, onChanges }: FileViewProps) {
  const [file, setFile] = useState<FileShown | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [line, setLine] = useState(1);
  const [asking, setAsking] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);

  useEffect(() => {
    let current = true;
    codeApi.file(path).then(
      (found) => {
        if (!current) return;
        setProblem(null);
        // The same bytes by the same hands: what is on the screen stays, and so does the caret.
        setFile((was) =>
          was && was.sha256 === found.sha256 && was.path === found.path && was.authors.join() === found.authors.join() ? was : found,
        );
      },
      (error: Error) => {
        if (!current) return;
        setFile(null);
        setProblem(error.message);
      },
    );
    return () => {
      current = false;
    };
  }, [path, version]);

  const text = file?.path === path ? file.text : null;
  const authors = file?.authors;
  const lastLine = useRef(1);
  useEffect(() => {
    if (!place.current || text === null || !authors) return;
    const made = reader({
      parent: place.current,
      text,
      path,
      label: strings.code.file(path),
      extensions: [
        workLines,
        gutter({
          class: "run-gutter",
          lineMarker: (view, block) => {
            const run = authors[view.state.doc.lineAt(block.from).number - 1];
            return run ? new RunMark(run) : null;
          },
          domEventHandlers: {
            mousedown: (view, block) => {
              view.dispatch({ selection: { anchor: block.from } });
              setAsking(true);
              return true;
            },
          },
        }),
        EditorView.updateListener.of((update) => {
          const now = update.state.doc.lineAt(update.state.selection.main.head).number;
          if (now !== lastLine.current) {
            lastLine.current = now;
            setLine(now);
          }
        }),
      ],
    });
    view.current = made;
    const back = made.state.doc.line(Math.min(lastLine.current, made.state.doc.lines));
    made.dispatch({ selection: { anchor: back.from }, scrollIntoView: true });
    return () => {
      made.destroy();
      view.current = null;
    };
  }, [path, text, authors]);

  useEffect(() => {
    const { current } = view;
    if (!at || !current) return;
    const { from } = current.state.doc.line(Math.max(1, Math.min(at.line, current.state.doc.lines)));
    current.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
  }, [at, text]);

  const lines = work?.lines ?? null;
  useEffect(() => {
    view.current?.dispatch({ effects: showWork.of(lines) });
  }, [lines, text]);

  if (problem) return <p className="code-note">{problem}</p>;
  if (!file || file.path !== path) return <p className="code-note">{strings.code.loading}</p>;
  if (file.text === null) return <p className="code-note">{strings.code.notText}</p>;
  const run = file.authors[line - 1] ?? null;
  return (
    <div className="file-view">
      {work && <AtWork fairy={fairy} work={work} />}
      <div className="file-text" data-testid="file-text" ref={place} />
      <footer className="file-foot">
        <span>
          {strings.code.line(line)}
          {run && <span className="run-mark" aria-hidden="true" />}
          {run && <span className="visually-hidden">{strings.code.byRun(line)}</span>}
        </span>
        <button type="button" className="button small" aria-expanded={asking} onClick={() => setAsking(!asking)}>
          {strings.code.why}
        </button>
      </footer>
      {asking && (
        <WhyLine
          line={line}
          run={run}
          workspace={workspace}
          chats={chats}
          onChat={onChat}
          onChanges={onChanges}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}
