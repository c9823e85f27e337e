import { useEffect, useId, useRef, type Ref } from "react";
import type { Workspace } from "../api/types";
import { clock } from "../chat/message";
import { FairyArt } from "../fairies/FairyArt";
import { strings } from "../strings";
import { isText, storyOf, type Chapter } from "./story";
import { useWhy } from "./useWhy";

interface WhyCardProps {
  ref: Ref<HTMLDivElement>;
  page: string;
  element: string;
  label: string | undefined;
  workspace: Workspace;
  onRun(fairy: string, run: string): void;
  onClose(): void;
}

function ChapterView({ chapter, workspace, onRun }: { chapter: Chapter } & Pick<WhyCardProps, "workspace" | "onRun">) {
  const fairy = workspace.fairies.find(({ id }) => id === chapter.fairy);
  const time = clock(chapter.at, new Date());
  return (
    <li className="why-chapter">
      {fairy && (
        <span className="why-face" aria-hidden="true">
          <FairyArt color={fairy.color} hat={fairy.hat} hatColor={fairy.hatColor} pose="idle" />
        </span>
      )}
      <div>
        <p className="why-line">
          <strong>{chapter.line}</strong>
          {time && <span className="why-time">{time}</span>}
        </p>
        {chapter.prompt && (
          <blockquote className="why-prompt">
            <span className="visually-hidden">{strings.why.asked} </span>
            {chapter.prompt}
          </blockquote>
        )}
        <p className="why-end">
          <span className="why-fate" data-open={chapter.open || undefined}>
            {chapter.fate}
          </span>
          {fairy && (
            <button type="button" className="button small" onClick={() => onRun(fairy.id, chapter.run)}>
              {strings.why.jump}
            </button>
          )}
        </p>
      </div>
    </li>
  );
}

/** How one shape came to be: who, when, on what words, and what became of it. */
export function WhyCard({ ref, page, element, label, workspace, onRun, onClose }: WhyCardProps) {
  const { answer, again } = useWhy(page, element, label);
  const title = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);

  const story = answer.state === "told" ? storyOf(answer.shape, answer.label, workspace) : null;
  return (
    <div ref={ref} className="why-card" data-testid="why-card" role="dialog" aria-labelledby={title}>
      <header>
        <h2 id={title} ref={heading} tabIndex={-1}>
          {strings.why.title}
        </h2>
        <button type="button" className="icon-button" aria-label={strings.why.close} onClick={onClose}>
          <span aria-hidden="true">×</span>
        </button>
      </header>
      <div className="why-body" aria-live="polite">
        {answer.state === "asking" && <p>{strings.why.loading}</p>}
        {answer.state === "failed" && (
          <>
            <p className="run-problem">{answer.message}</p>
            <button type="button" className="button small" onClick={again}>
              {strings.why.again}
            </button>
          </>
        )}
        {story?.byPerson && <p className="why-person">{isText(workspace, page) ? strings.text.byPerson : strings.why.person}</p>}
        {story && story.chapters.length > 0 && (
          <ol>
            {story.chapters.map((chapter) => (
              <ChapterView key={chapter.run} chapter={chapter} workspace={workspace} onRun={onRun} />
            ))}
          </ol>
        )}
      </div>
    </div>
  );
}
