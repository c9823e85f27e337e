import { Dialog } from "radix-ui";
import type { Workspace } from "../api/types";
import { clock } from "../chat/message";
import { FairyArt } from "../fairies/FairyArt";
import { strings } from "../strings";
import { isText, storyOf, type Chapter } from "./story";
import { useWhy } from "./useWhy";

interface WhyCardProps {
  page: string;
  element: string;
  label: string | undefined;
  workspace: Workspace;
  onRun(fairy: string, run: string): void;
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
export function WhyCard({ page, element, label, workspace, onRun }: WhyCardProps) {
  const { answer, again } = useWhy(page, element, label);

  const story = answer.state === "told" ? storyOf(answer.shape, answer.label, workspace) : null;
  return (
    <>
      <header>
        <Dialog.Title>{strings.why.title}</Dialog.Title>
        <Dialog.Close className="icon-button" aria-label={strings.why.close}>
          <span aria-hidden="true">×</span>
        </Dialog.Close>
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
    </>
  );
}
