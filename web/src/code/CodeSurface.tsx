import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { api } from "../api/client";
import type { ModelList } from "../api/schema";
import type { Run, UndoResult } from "../api/types";
import { isPending, runningRun } from "../api/workspace";
import type { RunJump } from "../chat/useJump";
import { useRights } from "../state/select";
import { useParts } from "../state/store";
import { strings } from "../strings";
import "../styles/code.css";
import { ChatSide } from "./ChatSide";
import { ChatsHeader } from "./ChatsHeader";
import { codeApi } from "./client";
import { CodeStage, type View } from "./CodeStage";
import { chooseModel, chosenModel } from "./codeChat";
import type { Part } from "./types";
import { useProject } from "./useProject";
import type { Whereabouts } from "./whereabouts";

const CHAT = "glade.code.chat";

/** The code project: its files where a page would be, its chats beside them. */
export default function CodeSurface() {
  const { workspace, backToChat } = useParts("workspace", "backToChat");
  const { askCode: mayAsk, settleCode: mayChange } = useRights();
  const runs = useMemo(() => workspace.runs.filter(({ page }) => page === "code"), [workspace.runs]);
  const { overview, problem, version, touch } = useProject(runs);
  const [view, setView] = useState<View | null>(null);
  const [chatId, setChatId] = useState(() => sessionStorage.getItem(CHAT));
  const [jump, setJump] = useState<RunJump | null>(null);
  const [settled, setSettled] = useState<UndoResult | null>(null);
  const [notice, setNotice] = useState<string | null>(null);
  const [models, setModels] = useState<ModelList | null>(null);
  const [model, setModel] = useState(chosenModel);
  const [at, setAt] = useState<Whereabouts | null>(null);
  const project = overview?.name ?? workspace.code?.name ?? "";
  const chats = overview?.chats ?? [];
  const active = chats.find(({ id }) => id === chatId) ?? chats[0];

  const pick = useCallback((id: string) => {
    sessionStorage.setItem(CHAT, id);
    setChatId(id);
  }, []);
  useEffect(() => {
    api.models().then(
      (found) => {
        setModels(found);
        // Its provider is gone: better the server's choice than none.
        if (!found.models.some(({ name }) => name === chosenModel())) {
          chooseModel(null);
          setModel(null);
        }
      },
      () => {},
    );
  }, []);

  const attempt = useCallback(
    async (what: () => Promise<unknown>) => {
      setNotice(null);
      try {
        await what();
      } catch (error) {
        setNotice(error instanceof Error ? error.message : strings.chat.failed);
      }
      touch();
    },
    [touch],
  );
  const newChat = useCallback(() => attempt(async () => pick((await codeApi.makeChat()).id)), [attempt, pick]);

  // A project that nobody has spoken about yet begins with an empty chat.
  const begun = useRef(false);
  const none = overview?.chats.length === 0;
  useEffect(() => {
    if (!none || !mayAsk || begun.current) return;
    begun.current = true;
    void newChat();
  }, [none, mayAsk, newChat]);

  const open = useCallback((path: string, line?: number) => setView({ kind: "file", path, at: line === undefined ? null : { line } }), []);
  const showChanges = useCallback((run: string) => setView({ kind: "changes", run }), []);
  const showInChat = useCallback(
    (chat: string, run: string) => {
      pick(chat);
      setJump((was) => ({ run, count: (was?.count ?? 0) + 1 }));
    },
    [pick],
  );
  const keep = useCallback(
    async (run: Run, part: Part) => {
      await codeApi.keep(run.id, part);
      setSettled(null);
      touch();
    },
    [touch],
  );
  const undo = useCallback(
    async (run: Run, part: Part) => {
      setSettled(await codeApi.undo(run.id, part));
      touch();
    },
    [touch],
  );

  // Nobody has chosen: the first that nothing limits, as the server has it.
  const fairy =
    workspace.fairies.find(({ id }) => id === active?.fairy) ?? workspace.fairies.find(({ scope }) => Object.keys(scope).length === 0);

  const waiting = useMemo(() => new Set(runs.filter(isPending).flatMap(({ elements }) => elements)), [runs]);
  const compared =
    view?.kind === "changes" ? (runs.find(({ id }) => id === view.run) ?? overview?.runs.find(({ id }) => id === view.run)) : undefined;
  const labelOf = (name: string) => models?.models.find((one) => one.name === name)?.label ?? name;
  const answering = model ?? models?.default ?? "";
  return (
    <>
      <CodeStage
        project={project}
        path={overview?.path ?? undefined}
        problem={problem}
        notice={notice}
        settled={settled}
        view={view}
        compared={compared}
        waiting={waiting}
        at={at}
        fairy={fairy}
        version={version}
        chats={chats}
        onRefresh={touch}
        onOpen={open}
        onBack={() => setView(null)}
        onRead={() => setSettled(null)}
        onChat={showInChat}
        onChanges={showChanges}
        onKeep={keep}
        onUndo={undo}
      />
      <aside className="panel code-panel" data-testid="code-panel" data-open="true" aria-label={strings.code.title}>
        <ChatsHeader
          chats={chats}
          active={active}
          busy={active !== undefined && runningRun(workspace, active.id) !== undefined}
          model={{ name: answering, label: labelOf(answering) }}
          fairies={workspace.fairies}
          fairy={fairy}
          onFairy={(chat, chosen) => void attempt(() => codeApi.giveTo(chat, chosen))}
          readOnly={!mayAsk}
          mayRemove={mayChange}
          onPick={pick}
          onNew={() => void newChat()}
          onRename={(chat, title) => void attempt(() => codeApi.rename(chat, title))}
          onRemove={(chat) => void attempt(() => codeApi.remove(chat))}
          onModel={(name) => {
            chooseModel(name);
            setModel(name);
          }}
          onClose={backToChat}
        />
        {active && (
          <ChatSide
            key={active.id}
            chat={active}
            project={project}
            who={fairy?.name ?? strings.code.who}
            jump={jump}
            onOpen={open}
            onChanges={showChanges}
            onKeep={keep}
            onUndo={undo}
            onTouched={touch}
            onSettled={setSettled}
            onAt={setAt}
          />
        )}
      </aside>
    </>
  );
}
