import { Suspense, type PointerEvent } from "react";
import { api } from "../api/client";
import type { Page } from "../api/types";
import { runsToSettle } from "../api/workspace";
import { FairyWindows } from "../fairies/FairyWindows";
import { TogetherInput } from "../projects/TogetherInput";
import { useFairy, useHandle, useRights } from "../state/select";
import { useParts, useStudio } from "../state/store";
import { Toasts } from "../ui/Toasts";
import { Dock } from "./Dock";
import { nameEditorButtons } from "./editorNames";
import { PageNotice } from "./PageNotice";
import { PageSurface } from "./PageSurface";
import { ToastView } from "./Toast";
import UnsentChanges from "./UnsentChanges";
import { usePhone } from "./useMedia";

/** News, and what waits for a decision. */
function Notices({ page }: { page: Page }) {
  const { as, session, toasts, workspace } = useStudio(({ as, open, toasts, workspace }) => ({
    as,
    session: open?.session,
    toasts,
    workspace,
  }));
  const { go, dismissToast } = useParts("go", "dismissToast");
  return (
    <Toasts>
      <UnsentChanges me={as} onClaimed={(where) => (where === page.id ? session?.sendLeftBehind() : go(where))} />
      <PageNotice />
      {toasts.map((toast) => (
        <ToastView key={toast.id} toast={toast} workspace={workspace} onDismiss={() => dismissToast(toast.id)} />
      ))}
    </Toasts>
  );
}

/** Words for several chosen fairies at once. */
function Together({ page }: { page: Page }) {
  const fairies = useStudio(({ chosen, workspace }) => chosen.flatMap((id) => workspace.fairies.find((each) => each.id === id) ?? []));
  const { workspace, choose, showPanel, problem } = useStudio(({ workspace, choose, showPanel, problem }) => ({
    workspace: workspace.id,
    choose,
    showPanel,
    problem,
  }));
  const handle = useHandle();
  const mayAsk = useRights().ask;
  if (fairies.length < 2 || !mayAsk) return null;
  const send = async (message: string) => {
    try {
      await api.startProject(workspace, { fairies: fairies.map(({ id }) => id), page: page.id, message, bounds: handle?.viewport() });
      choose([]);
      showPanel("fairies");
    } catch (error) {
      problem((error as Error).message);
    }
  };
  return <TogetherInput fairies={fairies} onLeave={() => choose([])} onSend={(message) => void send(message)} />;
}

/** Where the page is, with everything that lies over it. */
export function Stage({ page, away }: { page: Page; away: boolean }) {
  const { session, panelOpen, workspace } = useStudio(({ open, panelOpen, workspace }) => ({
    session: open?.session,
    panelOpen,
    workspace,
  }));
  const { chosen, choose, talkTo } = useParts("chosen", "choose", "talkTo");
  const fairy = useFairy();
  const phone = usePhone();

  // A press on the canvas itself lets go of the chosen fairies; a selection drawn there may choose others.
  const letGo = (event: PointerEvent) => {
    if (event.target instanceof HTMLCanvasElement && chosen.length > 0 && !event.shiftKey) choose([]);
  };
  return (
    <main className="stage" data-away={away || undefined} ref={nameEditorButtons} onPointerDownCapture={letGo}>
      <Suspense fallback={null}>{session?.pageId === page.id && <PageSurface page={page} session={session} />}</Suspense>
      <Notices page={page} />
      <FairyWindows />
      <Together page={page} />
      {fairy && !panelOpen && !phone && (
        <Dock fairy={fairy} waiting={runsToSettle(workspace, fairy.id).length} onOpen={() => talkTo(fairy.id)} />
      )}
    </main>
  );
}
