import { useEffect, useState } from "react";
import { api } from "../api/client";

/** What belongs to plugins that the workspace does not have: nobody is offered it. */
export interface Barred {
  blocks: ReadonlySet<string>;
  marks: ReadonlySet<string>;
}

export const NOTHING_BARRED: Barred = { blocks: new Set(), marks: new Set() };

/** What the switched-off plugins are made of is asked for anew whenever others are. */
export function useBarred(workspace: string, pluginsOff: readonly string[]): Barred {
  const [barred, setBarred] = useState(NOTHING_BARRED);
  const names = pluginsOff.join();
  useEffect(() => {
    let current = true;
    api.plugins(workspace).then(
      ({ plugins }) => {
        const off = plugins.filter(({ enabled }) => !enabled);
        if (current) setBarred({ blocks: new Set(off.flatMap(({ blocks }) => blocks)), marks: new Set(off.flatMap(({ marks }) => marks)) });
      },
      // Unknown, everything is offered: the room is who decides.
      () => {},
    );
    return () => {
      current = false;
    };
  }, [workspace, names]);
  return barred;
}
