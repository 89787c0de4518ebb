import type { JsonObject } from './json.js';

/** The service understood the request and will not do it: status 422. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  /** @param resource singular, Pascal case, e.g. `ShippingContainer` */
  constructor(
    readonly kind: 'unknown' | 'duplicate' | 'invalid',
    readonly resource: string,
    text: string,
  ) {
    super(text);
  }

  body(): JsonObject {
    return { messageType: 'ERROR', messageCode: `${this.kind}_${this.resource}`, messageText: this.message };
  }
}
