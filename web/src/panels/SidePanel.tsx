import type { ReactNode } from "react";
import { strings } from "../strings";
import { IconButton } from "../ui/IconButton";

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
        <IconButton label={strings.panel.back} onClick={onClose} />
      </header>
      <div className="side-body">{children}</div>
    </aside>
  );
}
