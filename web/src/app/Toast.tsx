import { useEffect } from "react";
import type { Workspace } from "../api/types";
import { Toast as Shown } from "../ui/Toasts";

/** Something that just happened, said over the canvas for a while; what can be undone can be undone here. */
export interface Toast {
  tone: "calm" | "bad";
  text: string;
  /** One with something to do stays on the way to another page; the rest is about the page on screen. */
  action?: { label: string; run(): void };
  /** Whether it is still true; once it is not, it goes. */
  stands?(workspace: Workspace): boolean;
}

/** A toast on the screen. */
export interface ShownToast extends Toast {
  id: number;
}

/** More than these at once are not read. */
const MOST = 4;

/** The toasts after one more: the same words again take the place of the earlier ones. */
export function withToast(shown: readonly ShownToast[], toast: Toast): ShownToast[] {
  const id = Math.max(0, ...shown.map((one) => one.id)) + 1;
  return [...shown.filter(({ text }) => text !== toast.text), { ...toast, id }].slice(-MOST);
}

/** What stays on the screen when another page opens. */
export function onOtherPage(shown: readonly ShownToast[]): ShownToast[] {
  return shown.filter(({ action }) => action !== undefined);
}

interface ToastViewProps {
  toast: Toast;
  workspace: Workspace;
  onDismiss(): void;
}

export function ToastView({ toast, workspace, onDismiss }: ToastViewProps) {
  const stands = toast.stands?.(workspace) ?? true;
  useEffect(() => {
    if (!stands) onDismiss();
  }, [stands, onDismiss]);
  const action = toast.action && {
    label: toast.action.label,
    run: () => {
      onDismiss();
      toast.action?.run();
    },
  };
  return (
    <Shown tone={toast.tone} action={action} onDismiss={onDismiss}>
      {toast.text}
    </Shown>
  );
}
