/** Who sent a request. */
export interface Caller {
  readonly clientId: string;
  readonly scopes: readonly string[];
}

/** Who sent the request that is being handled. Each is handled without a pause, so there is one at a time. */
export class Callers {
  private current: Caller | null = null;

  /** `null`: nobody, or somebody without a token. */
  now(): Caller | null {
    return this.current;
  }

  during<T>(caller: Caller | null, act: () => T): T {
    this.current = caller;
    try {
      return act();
    } finally {
      this.current = null;
    }
  }
}
