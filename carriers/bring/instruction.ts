import type { SettingsInIms } from '../contract/index.js';
import { listAt, textAt } from '../toolkit/json-path.js';

/** Beside the settings there are `instructions: [{ product: { id, additionalServices: [{ id }] }, shipmentPattern }]`, as the older integration has them. */
export const bringInIms: SettingsInIms = {
  key: 'BringTransport',
  login: ['apiKey', 'apiUid'],
  within: ['customerNumber'],
  customer: ['customerNumber'],
  olderNames: { customerNumber: 'defaultCustomerNumber' },
  instruction: (instruction) => {
    const service = textAt(instruction, 'product', 'id');
    if (service === null) return null;
    const additionalServices = listAt(instruction, 'product', 'additionalServices');
    return { service, options: additionalServices.length > 0 ? { additionalServices } : {} };
  },
};
