import type { SettingsInIms } from '../contract/index.js';
import { textAt, valueAt } from '../toolkit/index.js';

/**
 * Beside the settings there are `instructions: [{ product: { id, additionalServices: [{ id }] }, shipmentPattern }]`, as the older integration has
 * them.
 * Such an instruction says all that Bring is asked for, so that no notification is added to it.
 */
export const bringInIms: SettingsInIms = {
  key: 'BringTransport',
  keptBy: 'carrier',
  login: ['apiKey', 'apiUid'],
  within: ['customerNumber'],
  customer: ['customerNumber'],
  olderNames: { customerNumber: 'defaultCustomerNumber' },
  instruction: (instruction) => {
    const service = textAt(instruction, 'product', 'id');
    if (service === null) return null;
    const additionalServices = valueAt(instruction, 'product', 'additionalServices') ?? null;
    const product = without(['id', 'additionalServices'], valueAt(instruction, 'product'));
    const unread = without(['product', 'shipmentPattern'], instruction);
    return {
      service,
      options: {
        notification: 'none',
        ...(additionalServices === null ? {} : { additionalServices }),
        ...(product.length === 0 ? {} : { product: Object.fromEntries(product) }),
        ...(unread.length === 0 ? {} : { unread: unread.map(([name]) => name) }),
      },
    };
  },
};

/** The members of an object that have other names. */
function without(names: readonly string[], object: unknown): readonly (readonly [name: string, value: unknown])[] {
  return Object.entries(object ?? {}).filter(([name]) => !names.includes(name));
}
