/** The client that sent a request. */
export interface ApiClient {
  readonly clientId: string;
  readonly scopes: readonly string[];
}

/**
 * Holds the client whose request is being handled. The application handles each request synchronously, so there is at
 * most one.
 */
export class Callers {
  private current: ApiClient | null = null;

  /** `null`: no request is being handled, or its client sent no valid token. */
  now(): ApiClient | null {
    return this.current;
  }

  during<T>(caller: ApiClient | null, act: () => T): T {
    this.current = caller;
    try {
      return act();
    } finally {
      this.current = null;
    }
  }
}
