import { lazy, Suspense, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { confirmSignIn } from "../api/client";
import { signIn, type SignIn } from "../api/signIn";
import { WorkspaceStore } from "../api/store";
import type { Session } from "../api/types";
import { pageToOpen } from "../api/workspace";
import { strings } from "../strings";
import { LockedPage } from "./LockedPage";
import { OccupiedPage } from "./OccupiedPage";
import { PlainPage } from "./PlainPage";
import { ReplacedPage } from "./ReplacedPage";
import { answer, enter, lockOf, readFragment, type Entry } from "./session";
import { prepare } from "./surfaces";
import { whilePresent } from "./whilePresent";

// The editor is most of the bytes: a locked door should not have to wait for it.
const loadStudio = () => import("./Studio");
const Studio = lazy(loadStudio);

const WORKSPACE = "main";

function Glade({ session, as }: { session: Session; as: SignIn }) {
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
  const { line, workspace, denied = "" } = useSyncExternalStore(store.subscribe, store.state);
  const other = useSyncExternalStore(signIn.subscribe, signIn.other);
  useEffect(() => {
    // Another tab said so; whether it is true the server knows.
    if (other) confirmSignIn().catch(() => {});
  }, [other]);
  // The editor of the page that opens is fetched beside the studio, not after it.
  const opened = workspace !== null;
  useEffect(() => {
    const { workspace } = store.state();
    if (opened && workspace) prepare(pageToOpen(workspace, readFragment(location.hash).page)?.kind);
  }, [store, opened]);

  if (other) return <ReplacedPage name={other.name} />;
  if (line === "denied") return <LockedPage lock={lockOf(denied, "ended")} />;
  if (!workspace) {
    return <PlainPage pose="working">{line === "lost" ? strings.sync.eventsLost : strings.opening}</PlainPage>;
  }
  return (
    <Suspense fallback={<PlainPage pose="working">{strings.opening}</PlainPage>}>
      <Studio session={session} as={as} workspace={workspace} line={line} />
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
      return <Glade session={entry.session} as={entry.as} />;
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
      return <LockedPage lock={entry.lock} />;
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
