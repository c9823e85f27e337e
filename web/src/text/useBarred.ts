import { useEffect, useState } from "react";
import { api } from "../api/client";

/** What belongs to plugins that the workspace does not have: nobody is offered it. */
export interface Barred {
  blocks: ReadonlySet<string>;
  marks: ReadonlySet<string>;
}

export const NOTHING_BARRED: Barred = { blocks: new Set(), marks: new Set() };

/** Asked for when a page is opened, and again when one comes back to it. */
export function useBarred(workspace: string): Barred {
  const [barred, setBarred] = useState(NOTHING_BARRED);
  useEffect(() => {
    let current = true;
    const look = () => {
      api.plugins(workspace).then(
        ({ plugins }) => {
          const off = plugins.filter(({ enabled }) => !enabled);
          if (current) setBarred({ blocks: new Set(off.flatMap(({ blocks }) => blocks)), marks: new Set(off.flatMap(({ marks }) => marks)) });
        },
        // Unknown, everything is offered: the room is who decides.
        () => {},
      );
    };
    look();
    addEventListener("focus", look);
    return () => {
      current = false;
      removeEventListener("focus", look);
    };
  }, [workspace]);
  return barred;
}
