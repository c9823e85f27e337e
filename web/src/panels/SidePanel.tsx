import type { ReactNode } from "react";
import { strings } from "../strings";

interface SidePanelProps {
  title: string;
  testId: string;
  /** Buttons beside the title. */
  tools?: ReactNode;
  children: ReactNode;
  onClose(): void;
}

/** A panel in the chat's place: a title, a way back, and what it is for. */
export function SidePanel({ title, testId, tools, children, onClose }: SidePanelProps) {
  return (
    <aside className="panel" data-testid={testId} data-open="true" aria-label={title}>
      <header className="side-header">
        <h2>{title}</h2>
        {tools}
        <button type="button" className="icon-button" aria-label={strings.panel.back} title={strings.panel.back} onClick={onClose}>
          <span aria-hidden="true">×</span>
        </button>
      </header>
      <div className="side-body">{children}</div>
    </aside>
  );
}
