interface Versioned {
  version: number;
  versionNonce: number;
}

/**
 * Tells whether anything in the scene is different since it last looked. The editor says "changed" for every step of
 * a pan; what follows from a change must not be done then.
 */
export class SceneWatch {
  private last: { count: number; versions: number; mix: number } | null = null;

  changed(elements: readonly Versioned[]): boolean {
    let versions = 0;
    let mix = 0;
    for (const { version, versionNonce } of elements) {
      // The sum alone would miss an order that changed, the mix alone could meet itself again.
      versions += version;
      mix = (Math.imul(Math.imul(mix, 31) + versionNonce, 31) + version) | 0;
    }
    const { last } = this;
    if (last && last.count === elements.length && last.versions === versions && last.mix === mix) return false;
    this.last = { count: elements.length, versions, mix };
    return true;
  }

  /** The next look finds everything changed. */
  forget(): void {
    this.last = null;
  }
}
