import { useEffect, useState } from "react";
import { Notice } from "../chat/Notice";
import { strings } from "../strings";
import type { SetAside } from "./SceneShadow";

interface SetAsideNoticeProps {
  aside: readonly SetAside[];
  /** Left out for those who may not delete. */
  onDelete?(ids: readonly string[]): void;
}

/** Says which elements of the page are not shown, and why. */
export function SetAsideNotice({ aside, onDelete }: SetAsideNoticeProps) {
  const [closed, setClosed] = useState(false);
  useEffect(() => setClosed(false), [aside]);
  const [first] = aside;
  if (!first || closed) return null;
  const words = strings.setAside;
  const remove = onDelete && { label: words.remove(aside.length), run: () => onDelete(aside.map(({ id }) => id)) };
  return (
    <div className="canvas-notice">
      <Notice tone="bad" {...(remove ? { action: remove } : {})} onDismiss={() => setClosed(true)}>
        {words.what(aside.length, first.type, first.id, words.why[first.fault.kind](first.fault.property))}
      </Notice>
    </div>
  );
}
