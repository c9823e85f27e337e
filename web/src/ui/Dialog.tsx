import { Dialog as Primitive } from "radix-ui";
import type { ReactNode } from "react";
import { strings } from "../strings";
import { useFocusBefore } from "./focusBefore";
import { keepKeys } from "./keys";

interface DialogProps {
  title: string;
  /** Wide: for what is read more than filled in. */
  wide?: boolean;
  /** It asks before something that cannot be taken back. */
  alert?: boolean;
  children: ReactNode;
  /** The buttons at the end. */
  foot?: ReactNode;
  onClose(): void;
}

/** A window over the studio. */
export function Dialog({ title, wide = false, alert = false, children, foot, onClose }: DialogProps) {
  const focusBefore = useFocusBefore(true);
  return (
    <Primitive.Root open onOpenChange={(open) => !open && onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className="dialog-backdrop" />
        <Primitive.Content
          className="dialog"
          role={alert ? "alertdialog" : "dialog"}
          data-wide={wide || undefined}
          aria-describedby={undefined}
          // Who is asked finds the way out first.
          onOpenAutoFocus={(event) => {
            const cancel =
              alert && event.currentTarget instanceof Element && event.currentTarget.querySelector<HTMLElement>("footer button");
            if (!cancel) return;
            event.preventDefault();
            cancel.focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            focusBefore();
          }}
          onKeyDown={keepKeys}
        >
          <header>
            <Primitive.Title>{title}</Primitive.Title>
            <Primitive.Close className="icon-button" aria-label={strings.dialog.close}>
              <span aria-hidden="true">×</span>
            </Primitive.Close>
          </header>
          <div className="dialog-body">{children}</div>
          {foot && <footer>{foot}</footer>}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

interface ConfirmProps {
  title: string;
  text: string;
  label: string;
  onYes(): void;
  onClose(): void;
}

/** Asks before something that cannot be taken back. */
export function Confirm({ title, text, label, onYes, onClose }: ConfirmProps) {
  return (
    <Dialog
      alert
      title={title}
      onClose={onClose}
      foot={
        <>
          <button type="button" className="button" onClick={onClose}>
            {strings.fairy.cancel}
          </button>
          <button
            type="button"
            className="button danger"
            onClick={() => {
              onClose();
              onYes();
            }}
          >
            {label}
          </button>
        </>
      }
    >
      <p>{text}</p>
    </Dialog>
  );
}
