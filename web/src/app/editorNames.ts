import { strings } from "../strings";

/** The editor's own buttons that have no name, or one that says too little beside ours. */
const NAMES: Record<string, string> = {
  "button-undo": strings.editor.undo,
  "button-redo": strings.editor.redo,
  "main-menu-trigger": strings.editor.menu,
};

function rename(stage: Element): void {
  for (const [id, name] of Object.entries(NAMES)) {
    for (const button of stage.querySelectorAll(`[data-testid="${id}"]`)) {
      if (button.getAttribute("aria-label") !== name) button.setAttribute("aria-label", name);
    }
  }
}

/**
 * Two buttons called "Undo" on one page, one for a person's last stroke and
 * one for a whole run of a fairy, cannot be told apart by ear, nor one without
 * a name from anything. The editor has no option to name its own, so they are named here whenever it draws them.
 * To be used as the `ref` of what holds the editor.
 */
export function nameEditorButtons(stage: Element | null): (() => void) | undefined {
  if (!stage) return undefined;
  rename(stage);
  const observer = new MutationObserver(() => rename(stage));
  observer.observe(stage, { childList: true, subtree: true });
  return () => observer.disconnect();
}
