import { useEffect, useId, useRef, useState, type KeyboardEvent } from "react";
import type { Fairy, Page } from "../api/types";
import { FairyArt } from "../fairies/FairyArt";
import { strings } from "../strings";
import { NewPage } from "./NewPage";

interface PageMenuProps {
  page: Page;
  pages: readonly Page[];
  fairies: readonly Fairy[];
  /** How many runs wait for a decision on a page. */
  waiting(page: string): number;
  readOnly: boolean;
  onOpen(page: string): void;
  onMake(name: string): Promise<void>;
}

const nameOf = (page: Page) => page.name || strings.page.untitled;

/** The page's name, which opens the list of all pages: who is where, what waits, and a new one. */
export function PageMenu({ page, pages, fairies, waiting, readOnly, onOpen, onMake }: PageMenuProps) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const list = useId();

  useEffect(() => {
    if (!open) return;
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
    if (!step || event.target instanceof HTMLInputElement) return;
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
          aria-label={strings.page.open(nameOf(page))}
          aria-expanded={open}
          aria-controls={list}
          onClick={() => setOpen((was) => !was)}
        >
          <span>{nameOf(page)}</span>
          <svg className="icon" viewBox="0 0 20 20" aria-hidden="true">
            <path d="M6 8l4 4 4-4" />
          </svg>
        </button>
      </h1>
      {open && (
        <nav className="page-list" id={list} aria-label={strings.page.menu}>
          <ul>
            {pages.map((each) => {
              const here = fairies.filter((fairy) => fairy.page === each.id);
              const count = waiting(each.id);
              return (
                <li key={each.id}>
                  <button
                    type="button"
                    className="page-link"
                    aria-current={each.id === page.id ? "page" : undefined}
                    onClick={() => choose(each.id)}
                  >
                    <span className="page-link-name">{nameOf(each)}</span>
                    {count > 0 && <span className="page-waiting">{strings.page.waiting(count)}</span>}
                    {here.length > 0 && (
                      <span className="page-fairies">
                        <span className="visually-hidden">{strings.page.fairies(here.map(({ name }) => name).join(", "))}</span>
                        {here.slice(0, 3).map((fairy) => (
                          <FairyArt key={fairy.id} color={fairy.color} hat={fairy.hat} hatColor={fairy.hatColor} pose="idle" />
                        ))}
                      </span>
                    )}
                  </button>
                </li>
              );
            })}
          </ul>
          {!readOnly && (
            <NewPage
              names={pages.map(({ name }) => name)}
              onMake={async (name) => {
                await onMake(name);
                close();
              }}
            />
          )}
        </nav>
      )}
    </div>
  );
}
