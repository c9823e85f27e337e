import type { Fairy } from "../api/types";
import { Words } from "../comments/Words";
import { strings } from "../strings";

interface TogetherInputProps {
  fairies: readonly Fairy[];
  onSend(message: string): void;
  onLeave(): void;
}

/** Several fairies are chosen: what is said here is for all of them, as one piece of work. */
export function TogetherInput({ fairies, onSend, onLeave }: TogetherInputProps) {
  const [leader = "", ...others] = fairies.map(({ name }) => name);
  const title = strings.projects.together(leader, others.join(", "));
  return (
    <div
      className="together"
      data-testid="together"
      role="group"
      aria-label={title}
      onKeyDown={(event) => {
        // The editor listens to the whole document.
        event.stopPropagation();
        if (event.key === "Escape") onLeave();
      }}
    >
      <p>{title}</p>
      <Words label={strings.projects.ask} placeholder={strings.projects.hint} send={strings.projects.start} onSend={onSend} />
    </div>
  );
}
