import { download } from "../canvas/download";
import { Notice } from "../chat/Notice";
import { useStudio, useStudioStore } from "../state/store";
import { strings } from "../strings";
import type { RefusedCopy } from "../sync";
import { Toast } from "../ui/Toasts";

function save(copy: RefusedCopy): void {
  const bytes = new Blob([JSON.stringify(copy, null, 2)], { type: "application/json" });
  download(bytes, `glade-${copy.pageId}-refused.json`);
}

/** What a person must know about their changes: nothing is refused, or thrown away, silently. */
export function PageNotice() {
  const store = useStudioStore();
  const open = useStudio((state) => state.open);
  if (!open) return null;
  const { refused, status, session } = open;
  if (!refused && !status.message) return null;
  const dismiss = () => {
    store.setState({ open: { ...open, refused: null } });
    session.clearMessage();
  };
  if (refused) {
    return (
      <Notice tone="bad" action={{ label: strings.refused.save, run: () => save(refused) }} onDismiss={dismiss}>
        {strings.refused.what(refused.reason)}
      </Notice>
    );
  }
  return (
    <Toast key={status.message} tone="bad" onDismiss={dismiss}>
      {status.message}
    </Toast>
  );
}
