import { download } from "../canvas/download";
import { strings } from "../strings";
import { claimUnsent, copyOf, type Author, type Unsent } from "../sync";
import { ConfirmButton } from "./ConfirmButton";
import { outboxStorage, useUnsent } from "./useUnsent";

interface UnsentChangesProps {
  /** Who is signed in; null where nobody is. */
  me: Author | null;
  /** They are this person's, and may be sent: brings their page to do so. */
  onClaimed?(page: string): void;
}

function save(group: Unsent): void {
  const bytes = new Blob([JSON.stringify(copyOf(group, new Date()), null, 2)], { type: "application/json" });
  download(bytes, "glade-unsent-changes.json");
}

/** Changes that were made in this browser and never sent, by whom: nobody else sends them, nor are they lost. */
export default function UnsentChanges({ me, onClaimed }: UnsentChangesProps) {
  const words = strings.unsent;
  const { groups, look } = useUnsent(me);
  const discard = async ({ entries }: Unsent) => {
    await (await outboxStorage()).remove(entries);
    look();
  };
  const send = async (group: Unsent) => {
    if (!me) return;
    await claimUnsent(await outboxStorage(), group, me);
    look();
    const [first] = group.entries;
    if (first) onClaimed?.(first.page);
  };
  return groups.map((group) => {
    const mine = me !== null && group.by?.subject === me.subject;
    return (
      <div key={group.by?.subject ?? ""} className="notice unsent" data-tone="bad" data-testid="unsent" role="status">
        <p>
          {mine
            ? words.yours(group.entries.length)
            : group.by
              ? words.of(group.entries.length, group.by.name)
              : words.nobodys(group.entries.length)}
        </p>
        {mine && onClaimed && (
          <button type="button" className="button small primary" onClick={() => void send(group)}>
            {words.send}
          </button>
        )}
        <button type="button" className="button small" onClick={() => save(group)}>
          {strings.refused.save}
        </button>
        <ConfirmButton label={words.discard} really={words.reallyDiscard} onConfirm={() => void discard(group)} />
      </div>
    );
  });
}
