import { useEffect, useState } from "react";
import { api } from "../api/client";
import type { Run, RunChange } from "../api/types";
import { Dialog } from "../ui/Dialog";
import { Problem } from "../app/Problem";
import type { CanvasHandle } from "../canvas";
import { strings } from "../strings";
import { describeChanges, sceneBefore } from "./describe";
import { lookIn } from "./lookIn";

interface ChangesDialogProps {
  run: Run;
  handle: CanvasHandle;
  onShow(elements: string[]): void;
  onClose(): void;
}

type Made = { url: string } | "empty" | null;

/** A picture once it is made; null until then. */
function usePicture(make: (() => Promise<Blob | null>) | null): Made {
  const [made, setMade] = useState<Made>(null);
  useEffect(() => {
    if (!make) return;
    let url: string | null = null;
    let current = true;
    void make().then((bytes) => {
      if (!current) return;
      url = bytes && URL.createObjectURL(bytes);
      setMade(url === null ? "empty" : { url });
    });
    return () => {
      current = false;
      if (url) URL.revokeObjectURL(url);
    };
  }, [make]);
  return made;
}

function Picture({ title, make }: { title: string; make: (() => Promise<Blob | null>) | null }) {
  const made = usePicture(make);
  return (
    <figure className="change-picture">
      <figcaption>{title}</figcaption>
      <div>
        {made === "empty" && <span>{strings.changes.empty}</span>}
        {made && made !== "empty" && <img src={made.url} alt={title} />}
      </div>
    </figure>
  );
}

/** What a run did: the part of the page before and after, and each change in words. */
export default function ChangesDialog({ run, handle, onShow, onClose }: ChangesDialogProps) {
  const [changes, setChanges] = useState<RunChange[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [makers, setMakers] = useState<{ before: () => Promise<Blob | null>; after: () => Promise<Blob | null> } | null>(null);
  useEffect(() => {
    api.changes(run.id).then(
      (found) => {
        setChanges(found);
        const touched = [...new Set(found.map(({ element }) => element))];
        setMakers({
          before: () => handle.picture((scene) => sceneBefore(scene, found), touched),
          after: () => handle.picture((scene) => [...scene], touched),
        });
      },
      (error: Error) => setProblem(error.message),
    );
  }, [run.id, handle]);

  const lines = changes ? describeChanges(changes, lookIn(handle)) : [];
  return (
    <Dialog title={strings.changes.title} wide onClose={onClose}>
      <p className="change-prompt">{run.message}</p>
      <Problem words={problem} />
      <div className="two">
        <Picture title={strings.changes.before} make={makers?.before ?? null} />
        <Picture title={strings.changes.after} make={makers?.after ?? null} />
      </div>
      <ul className="change-lines">
        {lines.map(({ element, name, what, before, after }) => (
          <li key={`${element} ${what}`}>
            <button
              type="button"
              className="link-button"
              onClick={() => {
                onClose();
                onShow([element]);
              }}
            >
              {name}
            </button>
            <span>{what}</span>
            {before !== undefined && after !== undefined && (
              <span className="change-values">
                <Value value={before} /> → <Value value={after} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

/** A colour is shown as one. */
export function Value({ value }: { value: string }) {
  const color = /^#[0-9a-f]{3,8}$/i.test(value);
  return (
    <>
      {color && <i className="change-color" style={{ background: value }} aria-hidden="true" />}
      {value}
    </>
  );
}
