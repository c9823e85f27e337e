import type { ReactNode } from "react";
import { useStudio } from "../state/store";
import { strings } from "../strings";
import { IconButton } from "../ui/IconButton";

interface SidePanelProps {
  title: string;
  testId: string;
  /** Buttons beside the title. */
  tools?: ReactNode;
  children: ReactNode;
}

/** A panel in the chat's place: a title, a way back, and what it is for. */
export function SidePanel({ title, testId, tools, children }: SidePanelProps) {
  const back = useStudio((state) => state.backToChat);
  return (
    <aside className="panel" data-testid={testId} data-open="true" aria-label={title}>
      <header className="side-header">
        <h2>{title}</h2>
        {tools}
        <IconButton label={strings.panel.back} onClick={back} />
      </header>
      <div className="side-body">{children}</div>
    </aside>
  );
}
