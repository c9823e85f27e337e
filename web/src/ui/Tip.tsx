import { Tooltip } from "radix-ui";
import type { ReactElement, ReactNode } from "react";

interface TipProps {
  says: string | undefined;
  children: ReactElement;
}

/** Says what a control is for while the pointer or the keyboard is on it. */
export function Tip({ says, children }: TipProps) {
  if (!says) return children;
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content className="tip" sideOffset={5} collisionPadding={8}>
          {says}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}

/** Around the whole studio: once one tip was shown, the next ones come at once. */
export function Tips({ children }: { children: ReactNode }) {
  return (
    <Tooltip.Provider delayDuration={500} disableHoverableContent>
      {children}
    </Tooltip.Provider>
  );
}
