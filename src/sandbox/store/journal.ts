/** Records how to undo each change while a transaction runs. */
export class Journal {
  private undos: (() => void)[] | null = null;

  /** Records the undo of a change; outside a transaction it does nothing. */
  note(undo: () => void): void {
    this.undos?.push(undo);
  }

  /** Runs `act` as a transaction: when it throws, undoes its changes and rethrows. Transactions may be nested. */
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
