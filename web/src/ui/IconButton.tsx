import type { ComponentProps } from "react";
import { Icon } from "../chat/Icon";
import { Tip } from "./Tip";

interface IconButtonProps extends ComponentProps<"button"> {
  /** Its name, which a tip shows. */
  label: string;
  /** A cross where none is given: it closes something. */
  icon?: string;
}

/** A button that shows an icon instead of its name. */
export function IconButton({ label, icon, className = "icon-button", ...rest }: IconButtonProps) {
  return (
    <Tip says={label}>
      <button type="button" className={className} aria-label={label} {...rest}>
        {icon ? <Icon name={icon} /> : <span aria-hidden="true">×</span>}
      </button>
    </Tip>
  );
}
