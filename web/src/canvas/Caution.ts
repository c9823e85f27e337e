/** Into how many parts a group is split over which the editor broke. */
const PARTS = 8;
/** Whatever breaks so often breaks for another reason. */
const MOST_BREAKS = 24;
/** An error this long after something was shown is not laid to it. */
const BLAMED_MS = 1_000;

/**
 * Finds out over which elements the editor breaks. What it was given last is given again in ever smaller groups, and
 * what breaks it alone is set aside, so that the page opens without it. It outlives the editors that break.
 */
export class Caution {
  /** Elements that the editor is not given again. */
  readonly aside = new Set<string>();
  private doubtful: string[][] = [];
  private given: { ids: readonly string[]; at: number } | null = null;
  private breaks = 0;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Whether an element is shown with its group, and not with everything else. */
  readonly isDoubtful = (id: string): boolean => this.doubtful.some((group) => group.includes(id));

  /** The groups to be shown one by one, after everything else. */
  groups(): readonly (readonly string[])[] {
    return [...this.doubtful];
  }

  /** The editor is about to be given these. */
  giving(ids: readonly string[]): void {
    this.given = { ids, at: this.now() };
  }

  /** The editor has taken a group. */
  stood(group: readonly string[]): void {
    this.doubtful = this.doubtful.filter((other) => other !== group);
  }

  /** The editor broke. Answers whether it is worth another try. */
  broke(): boolean {
    this.breaks += 1;
    const { given } = this;
    this.given = null;
    if (given && this.now() - given.at < BLAMED_MS) this.blame(given.ids);
    return this.breaks <= MOST_BREAKS;
  }

  private blame(ids: readonly string[]): void {
    const others = this.doubtful.filter((group) => !group.some((id) => ids.includes(id)));
    if (ids.length === 1) {
      this.aside.add(ids[0] as string);
      this.doubtful = others;
      return;
    }
    const size = Math.ceil(ids.length / PARTS);
    const parts = Array.from({ length: Math.ceil(ids.length / size) }, (_, at) => ids.slice(at * size, (at + 1) * size));
    this.doubtful = [...parts, ...others];
  }
}
