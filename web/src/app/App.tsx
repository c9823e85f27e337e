import { lazy, Suspense, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { WorkspaceStore } from "../api/store";
import type { Session } from "../api/types";
import { pageToOpen } from "../api/workspace";
import { strings } from "../strings";
import { LockedPage } from "./LockedPage";
import { OccupiedPage } from "./OccupiedPage";
import { PlainPage } from "./PlainPage";
import { answer, enter, readFragment, type Entry } from "./session";
import { prepare } from "./surfaces";
import { whilePresent } from "./whilePresent";

// The editor is most of the bytes: a locked door should not have to wait for it.
const loadStudio = () => import("./Studio");
const Studio = lazy(loadStudio);

const WORKSPACE = "main";

function Glade({ session }: { session: Session }) {
  const store = useMemo(() => new WorkspaceStore(WORKSPACE), []);
  useEffect(() => {
    store.open();
    const off = whilePresent(
      () => store.open(),
      () => store.close(),
    );
    return () => {
      off();
      store.close();
    };
  }, [store]);
  const { line, workspace } = useSyncExternalStore(store.subscribe, store.state);
  // The editor of the page that opens is fetched beside the studio, not after it.
  const opened = workspace !== null;
  useEffect(() => {
    const { workspace } = store.state();
    if (opened && workspace) prepare(pageToOpen(workspace, readFragment(location.hash).page)?.kind);
  }, [store, opened]);

  if (line === "denied") return <LockedPage reason="wrong" />;
  if (!workspace) {
    return <PlainPage pose="working">{line === "lost" ? strings.sync.eventsLost : strings.opening}</PlainPage>;
  }
  return (
    <Suspense fallback={<PlainPage pose="working">{strings.opening}</PlainPage>}>
      <Studio session={session} workspace={workspace} line={line} />
    </Suspense>
  );
}

/** From the link in the address bar to an open studio. */
export function App() {
  const [entry, setEntry] = useState<Entry | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let current = true;
    void enter(location, history).then((found) => {
      if (!current) return;
      setEntry(found);
      // Fetched while the workspace is; if it fails here, rendering it tries again and says so.
      if (found.kind === "open") loadStudio().catch(() => {});
    });
    return () => {
      current = false;
    };
  }, [attempt]);

  // Pasting the link into a tab that is already open changes only the fragment.
  useEffect(() => {
    const onHash = () => {
      if (location.hash.includes("key=")) location.reload();
    };
    addEventListener("hashchange", onHash);
    return () => removeEventListener("hashchange", onHash);
  }, []);

  if (!entry) return <PlainPage pose="working">{strings.opening}</PlainPage>;
  switch (entry.kind) {
    case "open":
      return <Glade session={entry.session} />;
    case "occupied":
      return (
        <OccupiedPage
          current={entry.current}
          offered={entry.offered}
          onAnswer={(replace) => {
            setEntry(null);
            void answer(entry.key, replace).then(setEntry);
          }}
        />
      );
    case "locked":
      return <LockedPage reason={entry.reason} />;
    case "failed":
      return (
        <PlainPage
          pose="waiting"
          title={strings.failure.title}
          action={{
            label: strings.failure.retry,
            run: () => {
              setEntry(null);
              setAttempt((n) => n + 1);
            },
          }}
        >
          {entry.message}
        </PlainPage>
      );
  }
}
