import { useState } from "react";
import { api } from "../api/client";
import type { Project, Run, Workspace } from "../api/types";
import { Problem } from "../app/Problem";
import { strings } from "../strings";
import { timelineOf, withTold } from "./project";

const clock = (at: number) => new Date(at).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" });

/** Who did what when. The workspace tells of recent runs alone: the project's others are asked for when one looks. */
export function Timeline({ project, workspace }: { project: Project; workspace: Workspace }) {
  const [asked, setAsked] = useState<readonly Run[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const look = () =>
    api.projectRuns(project.id).then(
      (runs) => {
        setAsked(runs);
        setProblem(null);
      },
      (error: Error) => setProblem(error.message),
    );
  return (
    <details onToggle={(event) => event.currentTarget.open && void look()}>
      <summary>{strings.projects.timeline}</summary>
      <ol className="project-timeline">
        {timelineOf(project, withTold(asked, workspace.runs), workspace.fairies).map(({ key, at, who, what, now }) => (
          <li key={key} data-now={now || undefined}>
            <time dateTime={new Date(at).toISOString()}>{clock(at)}</time>
            <span>
              <b>{who}</b> {what}
            </span>
          </li>
        ))}
      </ol>
      <Problem words={problem} />
    </details>
  );
}
