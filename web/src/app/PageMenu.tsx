import { useEffect, useId, useRef, useState, type KeyboardEvent } from "react";
import type { Fairy, Page } from "../api/types";
import { strings } from "../strings";
import { NewPage } from "./NewPage";
import { PageRow } from "./PageRow";
import type { PageActions } from "./PageTools";

interface PageMenuProps extends PageActions {
  page: Page;
  pages: readonly Page[];
  fairies: readonly Fairy[];
  /** How many runs wait for a decision on a page. */
  waiting(page: string): number;
  readOnly: boolean;
  mayMake: boolean;
  onOpen(page: string): void;
  onMake(name: string, kind: "canvas" | "text"): Promise<void>;
}

/** The page's name, which opens the list of all pages: who is where, what waits, what to do with each, and a new one. */
export function PageMenu(props: PageMenuProps) {
  const { page, pages, fairies, waiting, mayMake, onOpen, onMake } = props;
  const [open, setOpen] = useState(false);
  const [tools, setTools] = useState<string | null>(null);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const list = useId();
  const name = page.name || strings.page.untitled;

  useEffect(() => {
    if (!open) return setTools(null);
    root.current?.querySelector<HTMLElement>("[aria-current]")?.focus();
    const outside = (event: PointerEvent) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    // Capture: the editor keeps what happens on its canvas to itself.
    addEventListener("pointerdown", outside, true);
    return () => removeEventListener("pointerdown", outside, true);
  }, [open]);

  const close = () => {
    setOpen(false);
    button.current?.focus();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    // The editor listens to the whole document: arrows here would move the selected shapes there.
    event.stopPropagation();
    if (!open) return;
    if (event.key === "Escape") close();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
    event.preventDefault();
    const links = [...(root.current?.querySelectorAll<HTMLElement>(".page-link") ?? [])];
    const at = links.indexOf(document.activeElement as HTMLElement);
    links.at((at + step) % links.length)?.focus();
  };

  const choose = (id: string) => {
    close();
    if (id !== page.id) onOpen(id);
  };

  return (
    <div
      className="page-menu"
      ref={root}
      onKeyDown={onKeyDown}
      onBlur={(event) => {
        if (event.relatedTarget && !root.current?.contains(event.relatedTarget)) setOpen(false);
      }}
    >
      <h1 className="page-name">
        <button
          ref={button}
          type="button"
          className="page-button"
          aria-label={strings.page.open(name)}
          aria-expanded={open}
          aria-controls={list}
          onClick={() => setOpen((was) => !was)}
        >
          <span>{name}</span>
          <svg className="icon" viewBox="0 0 20 20" aria-hidden="true">
            <path d="M6 8l4 4 4-4" />
          </svg>
        </button>
      </h1>
      {open && (
        <nav className="page-list" id={list} aria-label={strings.page.menu}>
          <ul>
            {pages.map((each, at) => (
              <PageRow
                key={each.id}
                {...props}
                page={each}
                at={at}
                count={pages.length}
                current={each.id === page.id}
                waiting={waiting(each.id)}
                fairies={fairies.filter((fairy) => fairy.page === each.id)}
                toolsOpen={tools === each.id}
                onOpen={() => choose(each.id)}
                onTools={() => setTools((was) => (was === each.id ? null : each.id))}
              />
            ))}
          </ul>
          {mayMake && (
            <NewPage
              names={pages.map(({ name }) => name)}
              onMake={async (name, kind) => {
                await onMake(name, kind);
                close();
              }}
            />
          )}
        </nav>
      )}
    </div>
  );
}
