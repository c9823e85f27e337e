import { useState, type ReactNode } from "react";
import { strings } from "../strings";
import { hasIcon, Icon } from "./Icon";
import type { ShownAction } from "./message";

interface ActionListProps {
  actions: ShownAction[];
  onShow(elements: string[]): void;
  /** What an action changed, for under its line. */
  diff(action: number): ReactNode;
}

const MARKS: Record<ShownAction["state"], string> = {
  partial: "",
  done: "✓",
  refused: "✕",
  reverted: "↺",
  stopped: "■",
};

function Line({ action, onShow, diff }: Omit<ActionListProps, "actions"> & { action: ShownAction }) {
  const [open, setOpen] = useState(false);
  const state = strings.action.state[action.state];
  const content = (
    <>
      <span className="action-icon" aria-hidden="true">
        {action.icon && !hasIcon(action.name) ? action.icon : <Icon name={action.name} />}
      </span>
      <span className="action-label">{action.label}</span>
      {action.tookMs !== null && <span className="action-took">{strings.action.took(action.tookMs)}</span>}
      <span className="action-state" title={state}>
        {action.state === "partial" ? (
          <span className="dots" aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
        ) : (
          <span aria-hidden="true">{MARKS[action.state]}</span>
        )}
        <span className="visually-hidden">{state}</span>
      </span>
    </>
  );
  const there = action.state === "done" || action.state === "partial";
  return (
    <li className="action" data-state={action.state}>
      {action.elements.length > 0 && there ? (
        <button
          type="button"
          className="action-line"
          title={strings.action.goTo(action.label)}
          aria-expanded={open}
          onClick={() => {
            onShow(action.elements);
            setOpen((was) => !was);
          }}
        >
          {content}
        </button>
      ) : (
        <span className="action-line">{content}</span>
      )}
      {open && diff(action.action)}
    </li>
  );
}

/** What a fairy did, one line each; a line whose shapes are on the page leads to them, and tells what it changed. */
export function ActionList({ actions, onShow, diff }: ActionListProps) {
  return (
    <ul className="actions">
      {actions.map((action) => (
        <Line key={action.key} action={action} onShow={onShow} diff={diff} />
      ))}
    </ul>
  );
}
