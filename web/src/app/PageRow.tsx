import { useState } from "react";
import type { Fairy, Page } from "../api/types";
import { FairyArt } from "../fairies/FairyArt";
import { strings } from "../strings";
import { IconButton } from "../ui/IconButton";
import { PageTools, type PageActions } from "./PageTools";

interface PageRowProps extends PageActions {
  page: Page;
  at: number;
  count: number;
  current: boolean;
  waiting: number;
  fairies: readonly Fairy[];
  readOnly: boolean;
  toolsOpen: boolean;
  onOpen(): void;
  onTools(): void;
}

const DRAGGED = "application/x-glade-page";

/** One page of the list: its name leads to it; it can be dragged to another place, and has its tools behind a button. */
export function PageRow(props: PageRowProps) {
  const { page, at, current, waiting, fairies, readOnly, toolsOpen } = props;
  const [over, setOver] = useState(false);
  const name = page.name || strings.page.untitled;
  return (
    <li
      data-over={over || undefined}
      draggable={!readOnly && !toolsOpen}
      onDragStart={(event) => {
        event.dataTransfer.setData(DRAGGED, page.id);
        event.dataTransfer.effectAllowed = "move";
      }}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes(DRAGGED)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        const dragged = event.dataTransfer.getData(DRAGGED);
        if (dragged) void props.onMove({ ...page, id: dragged }, at);
      }}
    >
      <div className="page-row">
        <button type="button" className="page-link" aria-current={current ? "page" : undefined} onClick={props.onOpen}>
          <span className="page-link-name">{name}</span>
          {waiting > 0 && <span className="page-waiting">{strings.page.waiting(waiting)}</span>}
          {fairies.length > 0 && (
            <span className="page-fairies">
              <span className="visually-hidden">{strings.page.fairies(fairies.map(({ name }) => name).join(", "))}</span>
              {fairies.slice(0, 3).map((fairy) => (
                <FairyArt key={fairy.id} color={fairy.color} hat={fairy.hat} hatColor={fairy.hatColor} pose="idle" />
              ))}
            </span>
          )}
        </button>
        {!readOnly && (
          <IconButton
            className="icon-button page-more"
            label={strings.page.tools.of(name)}
            icon="more"
            aria-expanded={toolsOpen}
            onClick={props.onTools}
          />
        )}
      </div>
      {toolsOpen && <PageTools {...props} />}
    </li>
  );
}
