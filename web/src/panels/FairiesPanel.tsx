import { useState } from "react";
import { api } from "../api/client";
import type { Fairy, Workspace } from "../api/types";
import { useFairyPresence } from "../app/usePresence";
import { runningRun } from "../api/workspace";
import { FairyArt } from "../fairies/FairyArt";
import { appearance, describeMode } from "../fairies/roster";
import { costOf, costText, scopeText } from "../fairies/work";
import { ProjectCard } from "../projects/ProjectCard";
import { projectOf } from "../projects/project";
import { useRights } from "../state/select";
import { useParts } from "../state/store";
import { strings } from "../strings";
import { IconButton } from "../ui/IconButton";
import { Tip } from "../ui/Tip";
import { SidePanel } from "./SidePanel";

const SHOWN_PROJECTS = 6;

function Row({ fairy, workspace }: { fairy: Fairy; workspace: Workspace }) {
  const { talkTo, fairyMenu, stop } = useParts("talkTo", "fairyMenu", "stop");
  const mayAsk = useRights().ask;
  const presence = useFairyPresence(fairy.id);
  const busy = runningRun(workspace, fairy.id) !== undefined;
  const look = appearance(fairy, presence);
  const page = workspace.pages.find(({ id }) => id === fairy.page)?.name;
  const cost = costText(costOf(workspace.runs.filter((run) => run.fairy === fairy.id)));
  const scope = scopeText(fairy, workspace.pages);
  return (
    <li className="fairy-row" data-fairy={fairy.id}>
      <Tip says={strings.fairy.talk(fairy.name)}>
        <button type="button" className="fairy-row-main" onClick={() => talkTo(fairy.id)}>
          <span className="avatar">
            <FairyArt color={look.color} hat={look.hat} hatColor={look.hatColor} pose={look.pose} expression={look.expression} />
          </span>
          <span className="fairy-row-text">
            <b>{fairy.name}</b>
            <span className="fairy-row-doing" data-busy={busy || undefined}>
              {describeMode(fairy, presence, busy)}
              {page && ` · ${page}`}
            </span>
            <span className="fairy-row-more">{[fairy.modelLabel, cost].filter(Boolean).join(" · ")}</span>
            {scope && <span className="fairy-row-more">{scope}</span>}
          </span>
        </button>
      </Tip>
      {mayAsk && (
        <button
          type="button"
          className="button small stop"
          disabled={!busy}
          aria-label={strings.fairy.stop(fairy.name)}
          onClick={() => stop(fairy.id)}
        >
          <span className="stop-mark" aria-hidden="true" />
          {strings.chat.stop}
        </button>
      )}
      <IconButton
        label={strings.fairy.menu(fairy.name)}
        icon="more"
        aria-haspopup="menu"
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          fairyMenu(fairy.id, { x: box.left - 150, y: box.bottom + 4 });
        }}
      />
    </li>
  );
}

/** All fairies at one glance: how each is, what it does, what it costs, and Stop. */
export default function FairiesPanel() {
  const { workspace, talkTo, stop, newFairy, problem } = useParts("workspace", "talkTo", "stop", "newFairy", "problem");
  const { ask, manageFairies: mayMake } = useRights();
  // What goes on now, and what ended last.
  const projects = [...workspace.projects]
    .sort((a, b) => Number(b.status === "active") - Number(a.status === "active") || b.createdAt - a.createdAt)
    .slice(0, SHOWN_PROJECTS);
  const [making, setMaking] = useState(false);
  const busy = workspace.fairies.filter(({ id }) => runningRun(workspace, id));
  const under = workspace.projects.filter(({ status }) => status === "active");
  const stopAll = () => {
    // A project whose fairies are stopped one by one would go on with those that are left.
    for (const { id } of under) void api.disband(id).catch((error: Error) => problem(error.message));
    const others = busy.filter(({ id }) => !projectOf(id, under));
    for (const { id } of others) stop(id);
  };
  const make = async () => {
    setMaking(true);
    await newFairy();
    setMaking(false);
  };
  return (
    <SidePanel
      title={strings.supervise.title}
      testId="fairies-panel"
      tools={
        ask && (
          <button type="button" className="button small stop" disabled={busy.length + under.length === 0} onClick={stopAll}>
            {strings.supervise.stopAll}
          </button>
        )
      }
    >
      {workspace.unreadable?.map(({ table, key, column }) => (
        <p key={`${table} ${key} ${column}`} role="alert">
          {strings.fairy.unreadable(table, key, column)}
        </p>
      ))}
      {projects.length > 0 && (
        <>
          <h3 className="side-title">{strings.projects.title}</h3>
          <ul className="projects">
            {projects.map((project) => (
              <ProjectCard key={project.id} project={project} workspace={workspace} readOnly={!ask} onTalk={talkTo} onProblem={problem} />
            ))}
          </ul>
        </>
      )}
      {workspace.fairies.length === 0 && <p className="side-empty">{mayMake ? strings.supervise.noneYet : strings.supervise.noneSeen}</p>}
      <ul className="fairy-rows">
        {workspace.fairies.map((fairy) => (
          <Row key={fairy.id} fairy={fairy} workspace={workspace} />
        ))}
      </ul>
      {mayMake && (
        <button type="button" className="button wide" disabled={making} onClick={() => void make()}>
          <span aria-hidden="true">+</span> {strings.supervise.add}
        </button>
      )}
    </SidePanel>
  );
}
