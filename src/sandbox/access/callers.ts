/** The client that sent a request. */
export interface Caller {
  readonly clientId: string;
  readonly scopes: readonly string[];
}

/**
 * Holds the client whose request is being handled. The application handles each request synchronously, so there is at
 * most one.
 */
export class Callers {
  private current: Caller | null = null;

  /** `null`: no request is being handled, or its client sent no valid token. */
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
