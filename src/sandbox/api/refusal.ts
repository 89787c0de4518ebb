import type { JsonMembers } from '../store/json.js';

/** The application understood the request and refuses it: status 422. */
export class ImsRefusal extends Error {
  override readonly name = 'ImsRefusal';

  /**
   * @param resource singular, Pascal case, e.g. `ShippingContainer`
   * @param place the part of the body that it concerns, e.g. `shipmentLines[2]`; `null`: the body as a whole
   */
  constructor(
    readonly kind: 'unknown' | 'duplicate' | 'invalid',
    readonly resource: string,
    text: string,
    readonly place: string | null = null,
  ) {
    super(text);
  }

  body(): JsonMembers {
    return { messageType: 'ERROR', messageCode: `${this.kind}_${this.resource}`, messageText: this.message };
  }
}

/** Calls `act` for each entry; a refusal gets the place of its entry. */
export function forEachOf<T>(name: string, list: readonly T[], act: (entry: T) => void): void {
  for (const [index, entry] of list.entries())
    try {
      act(entry);
    } catch (cause) {
      if (!(cause instanceof ImsRefusal)) throw cause;
      const { kind, resource, message, place } = cause;
      throw new ImsRefusal(kind, resource, message, `${name}[${index}]${place === null ? '' : `.${place}`}`);
    }
}
