import { plainCall, simulateCarrier } from '../toolkit/simulator/index.js';

/** There is nothing to simulate but the drivers, who report what happened to parcels by the generic callback. */
export const startOwnFleetSimulator = simulateCarrier({
  carrier: 'own-fleet',
  carrierName: 'Own fleet',
  series: { parcel: { prefix: '', length: 18 } },
  routes: {},
  callback: (event, proof) => plainCall(event, proof, ''),
});
