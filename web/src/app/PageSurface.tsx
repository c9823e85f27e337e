import { lazy, useMemo } from "react";
import { blobs } from "../api/blobs";
import type { Page } from "../api/types";
import { FAIRY_COLOR, paint } from "../fairies/paint";
import type { OpenPage } from "../state/facts";
import { calledIn, useHandle, useRights } from "../state/select";
import { useParts } from "../state/store";
import { strings } from "../strings";
import type { Settling } from "../text/Beside";
import { colorOf } from "./identity";
import { mentionableIn } from "./mentionable";
import { PageOverlay } from "./PageOverlay";
import { maySettle } from "./rights";
import { surfaces } from "./surfaces";
import { useDark } from "./useMedia";

const CanvasPage = lazy(surfaces.canvas);
const TextPage = lazy(surfaces.text);

interface SurfaceProps {
  page: Page;
  session: OpenPage["session"];
}

/** What runs do on a text page, whose they are, and keeping or undoing parts of them there. */
function useSettling(page: string): Settling {
  const { workspace, session } = useParts("workspace", "session");
  const { keepRun, undoRun, say, fail } = useParts("keepRun", "undoRun", "say", "fail");
  const rights = useRights();
  const runs = useMemo(() => workspace.runs.filter((run) => run.page === page && !run.settled), [workspace.runs, page]);
  return {
    runs,
    author: (run) => {
      const fairy = workspace.fairies.find(({ id }) => id === run.fairy);
      const color = run.fairy ? paint(fairy?.color, FAIRY_COLOR) : colorOf(run.author ?? "");
      return { name: fairy?.name ?? calledIn({ workspace, session }, run.author ?? ""), color };
    },
    maySettle: (run) => maySettle(rights, run),
    onSettle: async (run, how, part) => {
      try {
        if (how === "keep") await keepRun(run.id, part);
        else say({ tone: "calm", text: await undoRun(run.id, part) });
      } catch (error) {
        fail(error);
      }
    },
  };
}

function useCommon({ page, session }: SurfaceProps) {
  const rights = useRights();
  const { problem, onReady } = useParts("problem", "onReady");
  const handle = useHandle();
  return {
    session,
    blobs,
    pageName: page.name || strings.page.untitled,
    readOnly: rights.readOnly && !rights.suggest,
    onProblem: problem,
    onReady: (handle: Parameters<typeof onReady>[1]) => onReady(page.id, handle),
    children: handle && <PageOverlay handle={handle} page={page.id} />,
  };
}

function Canvas(props: SurfaceProps) {
  const common = useCommon(props);
  return <CanvasPage {...common} theme={useDark() ? "dark" : "light"} />;
}

function Text(props: SurfaceProps) {
  const common = useCommon(props);
  const settling = useSettling(props.page.id);
  const rights = useRights();
  const { workspace, threads, openThread, inline } = useParts("workspace", "threads", "openThread", "inline");
  const act = useParts("setThread", "beginAbout", "setInline", "go");
  const mentionable = useMemo(() => mentionableIn(workspace, props.page.id), [workspace, props.page.id]);
  return (
    <TextPage
      {...common}
      {...settling}
      workspace={workspace.id}
      pluginsOff={workspace.pluginsOff}
      mentionable={mentionable}
      threads={threads}
      openThread={openThread}
      onThread={act.setThread}
      onComment={rights.comment ? act.beginAbout : undefined}
      showing={inline}
      onShowing={act.setInline}
      onPage={act.go}
    />
  );
}

/** The page itself, by its kind, with everything of ours over it. */
export function PageSurface(props: SurfaceProps) {
  return props.page.kind === "text" ? <Text key={props.page.id} {...props} /> : <Canvas key={props.page.id} {...props} />;
}
