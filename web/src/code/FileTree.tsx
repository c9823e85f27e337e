import { useCallback, useEffect, useMemo, useRef, useState, type KeyboardEvent } from "react";
import type { Fairy } from "../api/types";
import { failed } from "../api/failed";
import { Icon } from "../chat/Icon";
import { strings } from "../strings";
import { codeApi } from "./client";
import { AtWork } from "./AtWork";
import { foldersOf, rows, step } from "./tree";
import type { Listing } from "./types";
import { rowOf, type Whereabouts } from "./whereabouts";

interface FileTreeProps {
  project: string;
  /** Grows when files may have changed. */
  version: number;
  selected: string | null;
  /** Files that runs changed and nobody has decided about. */
  waiting: ReadonlySet<string>;
  /** Where a fairy is at work. */
  at: Whereabouts | null;
  fairy: Fairy | undefined;
  onPick(path: string): void;
}

/** The files of the project. Folders are fetched when they are opened. */
export function FileTree({ project, version, selected, waiting, at: work, fairy, onPick }: FileTreeProps) {
  const [listings, setListings] = useState<ReadonlyMap<string, Listing>>(new Map());
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [problem, setProblem] = useState<string | null>(null);
  const [at, setAt] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const opened = useRef(open);
  opened.current = open;

  const fetchFolder = useCallback(async (path: string) => {
    try {
      const listing = await codeApi.files(path);
      setListings((was) => new Map(was).set(path, listing));
      setProblem(null);
    } catch (error) {
      // A folder that is gone shows nothing; its parent is fetched anew as well.
      setListings((was) => new Map([...was].filter(([key]) => key !== path)));
      if (path === "") setProblem(failed(error));
    }
  }, []);

  useEffect(() => {
    for (const path of ["", ...opened.current]) void fetchFolder(path);
  }, [version, fetchFolder]);

  const reveal = useCallback(
    (folders: string[]) => {
      const closed = folders.filter((path) => !opened.current.has(path));
      if (closed.length === 0) return;
      setOpen((was) => new Set([...was, ...closed]));
      for (const path of closed) void fetchFolder(path);
    },
    [fetchFolder],
  );
  useEffect(() => {
    if (selected) reveal(foldersOf(selected));
  }, [selected, reveal]);

  const shown = useMemo(() => rows(listings, open), [listings, open]);
  const toggle = (path: string) => {
    if (!open.has(path)) return reveal([path]);
    setOpen((was) => new Set([...was].filter((one) => one !== path)));
  };

  const focus = (index: number) => {
    setAt(index);
    list.current?.querySelectorAll<HTMLElement>("[role=treeitem]")[index]?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = step(shown, at, event.key);
    if (!next) return;
    event.preventDefault();
    if ("to" in next) focus(next.to);
    else if ("toggle" in next) toggle(shown[next.toggle]?.path ?? "");
    else onPick(shown[next.pick]?.path ?? "");
  };

  const root = listings.get("");
  if (problem) return <p className="tree-note">{problem}</p>;
  if (root && root.files.length === 0) return <p className="tree-note">{strings.code.empty}</p>;
  const visited = work && rowOf(work.path, shown);
  const current = Math.min(at, Math.max(shown.length - 1, 0));
  return (
    <>
      <ul className="tree" role="tree" aria-label={strings.code.stage(project)} ref={list} onKeyDown={onKeyDown}>
        {shown.map((row, index) => (
          <li
            key={row.path}
            role="treeitem"
            className="tree-row"
            aria-level={row.level}
            aria-selected={row.path === selected}
            aria-expanded={row.type === "directory" ? row.open : undefined}
            tabIndex={index === current ? 0 : -1}
            data-type={row.type}
            style={{ paddingInlineStart: 8 + (row.level - 1) * 14 }}
            title={row.path}
            onFocus={() => setAt(index)}
            onClick={() => (row.type === "directory" ? toggle(row.path) : onPick(row.path))}
          >
            <span className="tree-mark" aria-hidden="true">
              {row.type === "directory" ? (row.open ? "▾" : "▸") : ""}
            </span>
            <Icon name={row.type === "directory" ? "folder" : "file"} />
            <span className="tree-name">{row.name}</span>
            {row.path === visited && work && <AtWork fairy={fairy} work={work} />}
            {waiting.has(row.path) && (
              <span className="tree-waits" title={strings.code.waiting}>
                <span className="visually-hidden">{strings.code.waiting}</span>
              </span>
            )}
          </li>
        ))}
      </ul>
      {root?.truncated && <p className="tree-note">{strings.code.more(root.totalFiles - root.files.length)}</p>}
    </>
  );
}
