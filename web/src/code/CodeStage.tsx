import type { Fairy, Run, UndoResult } from "../api/types";
import { Problem } from "../app/Problem";
import { usePhone } from "../app/useMedia";
import { useRights } from "../state/select";
import { useStudio } from "../state/store";
import { strings } from "../strings";
import { IconButton } from "../ui/IconButton";
import { ChangesView } from "./ChangesView";
import { Conflicts } from "./Conflicts";
import { FileTree } from "./FileTree";
import { FileView } from "./FileView";
import type { CodeChat, Part } from "./types";
import type { Whereabouts } from "./whereabouts";

/** What is looked at beside the tree. */
export type View = { kind: "file"; path: string; at: { line: number } | null } | { kind: "changes"; run: string };

interface CodeStageProps {
  project: string;
  path: string | undefined;
  problem: string | null;
  notice: string | null;
  /** What the last undo did and left. */
  settled: UndoResult | null;
  view: View | null;
  /** The run whose changes are looked at. */
  compared: Run | undefined;
  /** Files with something to decide about. */
  waiting: ReadonlySet<string>;
  /** Where the fairy of the chat is at work. */
  at: Whereabouts | null;
  fairy: Fairy | undefined;
  version: number;
  chats: readonly CodeChat[];
  onRefresh(): void;
  onOpen(path: string, line?: number): void;
  onBack(): void;
  onRead(): void;
  onChat(chat: string, run: string): void;
  onChanges(run: string): void;
  onKeep(run: Run, part: Part): Promise<void>;
  onUndo(run: Run, part: Part): Promise<void>;
}

/** The project's files where a page would be: the tree, and what was opened of it. */
export function CodeStage(props: CodeStageProps) {
  const { project, path, problem, notice, settled, view, compared, waiting, at, fairy, version, chats } = props;
  const workspace = useStudio((state) => state.workspace);
  const maySettle = useRights().settleCode;
  const phone = usePhone();
  const { onRefresh, onOpen, onBack, onRead, onChat, onChanges, onKeep, onUndo } = props;
  const heading = view?.kind === "file" ? view.path : view?.kind === "changes" ? strings.code.changes : project;
  return (
    <main className="stage code-stage" data-testid="code-stage" data-pane={view ? "view" : "tree"} aria-label={strings.code.stage(project)}>
      <nav className="code-tree" aria-label={strings.code.files}>
        <header>
          <h2 title={path}>{project}</h2>
          <IconButton label={strings.code.refresh} icon="again" onClick={onRefresh} />
        </header>
        {problem && <p className="tree-note">{problem}</p>}
        <FileTree
          project={project}
          version={version}
          selected={view?.kind === "file" ? view.path : null}
          waiting={waiting}
          at={at}
          fairy={fairy}
          onPick={onOpen}
        />
      </nav>
      <section className="code-view" aria-label={heading}>
        <header>
          {phone && view && (
            <button type="button" className="button small" onClick={() => onBack()}>
              ‹ {strings.code.back}
            </button>
          )}
          <h2>{heading}</h2>
        </header>
        <Problem words={notice} />
        {settled && <Conflicts result={settled} onOpen={onOpen} onClose={() => onRead()} />}
        {view === null && (
          <div className="code-empty">
            <p>{strings.code.pick}</p>
            <p>{strings.code.pickHint}</p>
          </div>
        )}
        {view?.kind === "file" && (
          <FileView
            key={view.path}
            path={view.path}
            at={view.at}
            work={at?.path === view.path ? at : null}
            fairy={fairy}
            version={version}
            workspace={workspace}
            chats={chats}
            onChat={onChat}
            onChanges={onChanges}
          />
        )}
        {compared && (
          <ChangesView
            key={compared.id}
            run={compared}
            version={version}
            readOnly={!maySettle}
            onKeep={onKeep}
            onUndo={onUndo}
            onOpen={onOpen}
          />
        )}
      </section>
    </main>
  );
}
