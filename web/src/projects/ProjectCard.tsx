import { api } from "../api/client";
import type { Project, Workspace } from "../api/types";
import { Words } from "../comments/Words";
import { FairyArt } from "../fairies/FairyArt";
import { costText, timeText } from "../fairies/work";
import { strings } from "../strings";
import { Tip } from "../ui/Tip";
import { colorOf, progressOf } from "./project";
import { Timeline } from "./Timeline";

interface ProjectCardProps {
  project: Project;
  workspace: Workspace;
  readOnly: boolean;
  onTalk(fairy: string): void;
  onProblem(message: string): void;
}

/** One project: what it is about, who is at it, how far they are, and the way to end it. */
export function ProjectCard({ project, workspace, readOnly, onTalk, onProblem }: ProjectCardProps) {
  const words = strings.projects;
  const { done, all } = progressOf(project, workspace.tasks);
  const active = project.status === "active";
  const tasks = workspace.tasks.filter(({ id }) => project.tasks.includes(id));
  const cost = project.cost && costText({ usd: project.cost.usd, tokens: project.cost.inputTokens + project.cost.outputTokens });
  const fail = (error: Error) => onProblem(error.message);
  const name = (id: string) => workspace.fairies.find((fairy) => fairy.id === id)?.name ?? words.gone;
  return (
    <li className="project" data-testid="project" data-status={project.status} style={{ ["--project-color" as string]: colorOf(project) }}>
      <div className="project-head">
        <b>{project.name || words.unnamed}</b>
        <small>
          {[words.statuses[project.status], cost, timeText({ startedAt: project.createdAt, endedAt: project.endedAt }, Date.now())]
            .filter(Boolean)
            .join(" · ")}
        </small>
      </div>
      {project.description && <p className="project-about">{project.description}</p>}
      <ul className="project-members">
        {project.members.map(({ fairy, role }) => {
          const who = workspace.fairies.find(({ id }) => id === fairy);
          return (
            who && (
              <li key={fairy}>
                <Tip says={strings.fairy.talk(who.name)}>
                  <button type="button" onClick={() => onTalk(fairy)}>
                    <FairyArt color={who.color} hat={who.hat} hatColor={who.hatColor} pose="idle" />
                    {words.member(who.name, words.roles[role])}
                  </button>
                </Tip>
              </li>
            )
          );
        })}
      </ul>
      {all > 0 && (
        <>
          <progress value={done} max={all} aria-label={words.progress(done, all)} />
          <ul className="project-tasks">
            {tasks.map((task) => (
              <li key={task.id} data-status={task.status}>
                {task.title}
                <small>{[task.assignee && name(task.assignee), strings.tasks.statuses[task.status]].filter(Boolean).join(" · ")}</small>
              </li>
            ))}
          </ul>
        </>
      )}
      {project.plan && (
        <details>
          <summary>{words.plan}</summary>
          <p className="project-about">{project.plan}</p>
        </details>
      )}
      <Timeline project={project} workspace={workspace} />
      {project.summary && <p className="project-about">{project.summary}</p>}
      {active && !readOnly && (
        <>
          <Words
            label={words.tell(project.name || words.unnamed)}
            send={strings.chat.send}
            onSend={(message) => void api.tellProject(project.id, message).catch(fail)}
          />
          <button type="button" className="button small stop" onClick={() => void api.disband(project.id).catch(fail)}>
            {words.disband}
          </button>
        </>
      )}
    </li>
  );
}
