import { lazy, Suspense } from "react";
import { api } from "../api/client";
import type { Fairy } from "../api/types";
import { later } from "../app/later";
import type { Rights } from "../app/rights";
import { useHandle, usePage, useRights } from "../state/select";
import { useParts, useStudio } from "../state/store";
import { strings } from "../strings";
import { Confirm } from "../ui/Dialog";
import { FairyMenu, type FairyCommand } from "./FairyMenu";
import { Following } from "./Following";

const DebugDialog = lazy(later.debug);
const FairySettings = lazy(later.fairySettings);

/** What this person can do with a fairy. */
function commandsFor(fairy: Fairy, followed: string | null, rights: Rights): FairyCommand[] {
  return [
    "find",
    ...(rights.ask ? (["summon"] as const) : []),
    fairy.id === followed ? "unfollow" : "follow",
    ...(rights.ask ? [fairy.mode === "sleeping" ? ("wake" as const) : ("sleep" as const)] : []),
    ...(rights.manageFairies ? (["configure"] as const) : []),
    ...(rights.inspectFairies ? (["debug"] as const) : []),
    ...(rights.manageFairies ? (["reset", "dismiss"] as const) : []),
  ];
}

/** The menu of a fairy, the windows that it opens, and the pill of the one followed. */
export function FairyWindows() {
  const { fairies, pages } = useStudio(({ workspace }) => ({ fairies: workspace.fairies, pages: workspace.pages }));
  const open = useStudio((state) => state.fairyWindow);
  const { followed, tasksShown } = useParts("followed", "tasksShown");
  const {
    showFairyWindow: show,
    follow,
    doWith,
    toggleTasks,
    say,
    fail,
  } = useParts("showFairyWindow", "follow", "doWith", "toggleTasks", "say", "fail");
  const page = usePage()?.id;
  const handle = useHandle();
  const rights = useRights();
  const close = () => show(null);
  const fresh = open?.kind === "settings" ? open.fresh : undefined;
  const followedFairy = fairies.find(({ id }) => id === followed);
  // A fairy just made may be known here before the workspace has heard of it.
  const shown = fairies.find(({ id }) => id === open?.fairy) ?? fresh;

  // Whoever does not want the fairy that they were about to make has none, unless somebody has found it work meanwhile.
  const cancel = () => {
    close();
    if (fresh && shown?.mode === "idling") api.dismiss(fresh.id).catch(fail);
  };
  const dismiss = (fairy: Fairy) =>
    void api.dismiss(fairy.id).then(() => say({ tone: "calm", text: strings.fairy.dismissed(fairy.name) }), fail);

  return (
    <>
      {followedFairy && <Following fairy={followedFairy} handle={followedFairy.page === page ? handle : null} onEnd={() => follow(null)} />}
      <FairyMenu
        name={shown?.name ?? ""}
        at={open?.kind === "menu" && shown ? open.at : null}
        commands={shown ? commandsFor(shown, followed, rights) : []}
        onDo={(command) => shown && doWith(shown, command)}
        onClose={close}
      />
      <Suspense fallback={null}>
        {open?.kind === "settings" && shown && (
          <FairySettings fairy={shown} pages={pages} view={handle?.viewport() ?? null} onSaved={close} onCancel={cancel} />
        )}
        {open?.kind === "debug" && shown && <DebugDialog fairy={shown} bounds={tasksShown} onBounds={toggleTasks} onClose={close} />}
      </Suspense>
      {open?.kind === "dismiss" && shown && (
        <Confirm
          title={strings.fairy.commands.dismiss.replace("…", "")}
          text={strings.fairy.dismissAsk(shown.name)}
          label={strings.fairy.dismissDo}
          onYes={() => dismiss(shown)}
          onClose={close}
        />
      )}
    </>
  );
}
