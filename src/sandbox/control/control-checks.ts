import { validateHeaderValue } from 'node:http';
import type { EventTarget } from '../events/event-target.js';
import type { FaultRule } from '../faults/faults.js';
import { ImsRefusal } from '../api/refusal.js';
import { shipments } from '../resources/shipments.js';
import { find } from '../store/kind.js';
import type { Ims } from '../ims.js';
import type { SandboxArea, Store } from '../store/store.js';

/** The targets that faults may name, besides the ids of carriers. */
const OWN_TARGETS = ['ims', 'token'];

/** @throws Error when there is no such area */
export function checkArea(store: Store, contextId: number): void {
  const known = store.areas().map((area) => area.contextId);
  if (!known.includes(contextId)) throw new Error(`There is no area ${contextId}. POST /control/areas makes one.`);
}

/** @throws Error when another area has the id or the key, or no HTTP header can carry the key */
export function checkNewArea(store: Store, { contextId, apiKey }: SandboxArea): void {
  if (store.areas().some((area) => area.contextId === contextId))
    throw new Error(`There is an area ${contextId} already.`);
  if (store.areaOfKey(apiKey) !== null) throw new Error('Another area has this apiKey.');
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new Error('apiKey must be text without spaces, as a header can hold it.');
  validateHeaderValue('x-api-key', apiKey);
}

/** @throws Error when a fault names an unknown target or area, so that it could never apply */
export function checkFaults(faults: readonly FaultRule[], store: Store, carriers: Iterable<string>): void {
  const targets = [...OWN_TARGETS, ...carriers];
  for (const { target, area } of faults) {
    if (!targets.includes(target)) throw new Error(`target: must be one of ${targets.join(', ')}; it is "${target}"`);
    if (area !== undefined) checkArea(store, area);
  }
}

/** @throws Error when a target names an unknown area */
export function checkAreasOf(targets: readonly EventTarget[], store: Store): void {
  for (const { areas = [] } of targets) for (const contextId of areas) checkArea(store, contextId);
}

/**
 * Checks that a carrier can collect each of these shipments, and drops repeated ids.
 * @throws ImsRefusal for a shipment that is not packed, or that a carrier has collected already
 */
export function shipmentsToHandOver(ims: Ims, contextId: number, ids: readonly number[]): readonly number[] {
  for (const id of ids) {
    const { shipmentNumber, deliveryNoteId, consignmentNoteId } = find(ims, shipments, { contextId, id });
    const refuse = (why: string) => {
      throw new ImsRefusal('invalid', 'Shipment', `Shipment ${shipmentNumber} ${why}.`);
    };
    if (typeof consignmentNoteId === 'number') refuse('has a consignment note already');
    if (typeof deliveryNoteId !== 'number') refuse('has no delivery note: it is not packed');
  }
  return [...new Set(ids)];
}
