import { Popover } from "radix-ui";
import { useRef, useState, type KeyboardEvent } from "react";
import type { Page } from "../api/types";
import { orderedPages, pendingOn } from "../api/workspace";
import { useRights } from "../state/select";
import { useParts } from "../state/store";
import { strings } from "../strings";
import { keepKeys } from "../ui/keys";
import { NewPage } from "./NewPage";
import { PageRow } from "./PageRow";

/** The page's name, which opens the list of all pages: who is where, what waits, what to do with each, and a new one. */
export function PageMenu({ page }: { page: Page }) {
  const { workspace, go, makePage, pageActions } = useParts("workspace", "go", "makePage", "pageActions");
  const rights = useRights();
  const pages = orderedPages(workspace);
  const [open, setOpen] = useState(false);
  const [tools, setTools] = useState<string | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const name = page.name || strings.page.untitled;

  const show = (open: boolean) => {
    setOpen(open);
    setTools(null);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    keepKeys(event);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
    event.preventDefault();
    const links = [...(list.current?.querySelectorAll<HTMLElement>(".page-link") ?? [])];
    const at = links.indexOf(document.activeElement as HTMLElement);
    links.at((at + step) % links.length)?.focus();
  };

  const choose = (id: string) => {
    show(false);
    if (id !== page.id) go(id);
  };

  return (
    <Popover.Root open={open} onOpenChange={show}>
      <h1 className="page-name">
        <Popover.Trigger className="page-button" aria-label={strings.page.open(name)} aria-haspopup={false} onKeyDown={keepKeys}>
          <span>{name}</span>
          <svg className="icon" viewBox="0 0 20 20" aria-hidden="true">
            <path d="M6 8l4 4 4-4" />
          </svg>
        </Popover.Trigger>
      </h1>
      <Popover.Content
        ref={list}
        className="page-list"
        role="navigation"
        aria-label={strings.page.menu}
        align="start"
        sideOffset={6}
        collisionPadding={8}
        onOpenAutoFocus={(event) => {
          event.preventDefault();
          list.current?.querySelector<HTMLElement>("[aria-current]")?.focus();
        }}
        onKeyDown={onKeyDown}
      >
        <ul>
          {pages.map((each, at) => (
            <PageRow
              key={each.id}
              {...pageActions}
              readOnly={!rights.wholePages}
              page={each}
              at={at}
              count={pages.length}
              current={each.id === page.id}
              waiting={pendingOn(workspace, each.id).length}
              fairies={workspace.fairies.filter((fairy) => fairy.page === each.id)}
              toolsOpen={tools === each.id}
              onOpen={() => choose(each.id)}
              onTools={() => setTools((was) => (was === each.id ? null : each.id))}
            />
          ))}
        </ul>
        {rights.newPages && (
          <NewPage
            names={pages.map(({ name }) => name)}
            onMake={async (name, kind) => {
              await makePage(name, kind);
              show(false);
            }}
          />
        )}
      </Popover.Content>
    </Popover.Root>
  );
}
