import { lazy, Suspense, useEffect, useLayoutEffect, useState, type ComponentType } from "react";
import type { SignIn } from "../api/signIn";
import type { Line } from "../api/store";
import type { Session, Workspace } from "../api/types";
import { followSelection } from "../state/asking";
import { followPages } from "../state/pages";
import { followSession } from "../state/pageSession";
import { useFairy, useHandle, usePage } from "../state/select";
import type { Panel } from "../state/shell";
import { StudioContext, createStudio, useParts, useStudio } from "../state/store";
import { strings } from "../strings";
import { later, whenIdle } from "./later";
import { Stage } from "./Stage";
import { TopBar } from "./TopBar";
import { usePhone } from "./useMedia";
import { useSettled } from "./useSettled";

const ChatPanel = lazy(later.chat);
const CodeSurface = lazy(() => import("../code/CodeSurface"));
const ChangesDialog = lazy(later.changes);
const SettingsDialog = lazy(later.settings);
const ShareDialog = lazy(later.share);

const PANELS: Partial<Record<Panel, ComponentType>> = {
  fairies: lazy(later.fairies),
  group: lazy(later.group),
  search: lazy(later.search),
  tasks: lazy(later.tasks),
  comments: lazy(later.comments),
};

/** The window that is open over the studio. */
function Windows() {
  const { window, session, workspace } = useParts("window", "session", "workspace");
  const { show, showElements } = useParts("show", "showElements");
  const page = usePage();
  const handle = useHandle();
  const close = () => show(null);
  switch (window?.kind) {
    case "share": {
      const project = workspace.code ? (session.project ?? []) : [];
      return (
        page && (
          <ShareDialog page={page} pages={workspace.pages} people={workspace.people} session={session} project={project} onClose={close} />
        )
      );
    }
    case "settings":
      return <SettingsDialog workspace={workspace.id} pluginsOff={workspace.pluginsOff} onClose={close} />;
    case "changes":
      return handle && <ChangesDialog run={window.run} handle={handle} onShow={showElements} onClose={close} />;
    case undefined:
      return null;
  }
}

/** The canvas, the fairies over it, and the panel beside it. */
function Layout() {
  const { panel, panelOpen, code } = useStudio(({ panel, panelOpen, workspace }) => ({ panel, panelOpen, code: !!workspace.code }));
  const page = usePage();
  const fairy = useFairy();
  const phone = usePhone();
  const settled = useSettled(useHandle() !== null);
  useEffect(() => {
    if (settled) whenIdle();
  }, [settled]);
  if (!page) return <p className="empty-page">{strings.failure.noPage}</p>;
  const Side = panelOpen ? PANELS[panel] : undefined;
  const chatOpen = panelOpen && panel === "chat";
  const onCode = panelOpen && panel === "code" && code;
  // The canvas is as wide as it will be while the chat is fetched.
  const place = chatOpen && <div className="panel" />;
  return (
    <div className="studio" data-panel={panelOpen && (panel !== "chat" || fairy) ? "open" : "closed"}>
      <TopBar page={page} />
      <Stage page={page} away={onCode} />
      <Suspense fallback={null}>
        {Side && <Side />}
        {onCode && <CodeSurface />}
      </Suspense>
      <Suspense fallback={null}>
        <Windows />
      </Suspense>
      {fairy && (
        <Suspense fallback={place}>
          {settled ? <ChatPanel key={fairy.id} fairy={fairy} page={page} phone={phone && panel === "chat"} open={chatOpen} /> : place}
        </Suspense>
      )}
    </div>
  );
}

const layout = <Layout />;

interface StudioProps {
  session: Session;
  as: SignIn;
  workspace: Workspace;
  line: Line;
}

/** The open studio: what its screens share, and their layout. */
export default function Studio({ session, as, workspace, line }: StudioProps) {
  const [store] = useState(() => createStudio({ session, as, workspace, line }));
  useLayoutEffect(() => store.setState({ workspace, line }), [store, workspace, line]);
  useEffect(() => {
    const ends = [followPages(store), followSession(store), followSelection(store)];
    return () => ends.forEach((end) => end());
  }, [store]);
  return <StudioContext value={store}>{layout}</StudioContext>;
}
