/** Remembers how to take back what is done, for as long as it may have to be. */
export class Journal {
  private undos: (() => void)[] | null = null;

  /** Says how the last step is taken back. */
  note(undo: () => void): void {
    this.undos?.push(undo);
  }

  /** Takes back all that was done when `act` throws, and throws the same. May stand within another. */
  allOrNothing<T>(act: () => T): T {
    const outer = this.undos;
    const undos: (() => void)[] = [];
    this.undos = undos;
    try {
      const outcome = act();
      for (const undo of undos) outer?.push(undo);
      return outcome;
    } catch (problem) {
      this.undos = null;
      for (const undo of undos.toReversed()) undo();
      throw problem;
    } finally {
      this.undos = outer;
    }
  }
}
