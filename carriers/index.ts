import { budbee } from './budbee/index.js';
import { bring } from './bring/index.js';
import type { CarrierAdapter } from './contract/adapter.js';
import type { StartSimulator } from './contract/simulator.js';
import { danskeFragtmaend } from './danske-fragtmaend/index.js';
import { dao } from './dao/index.js';
import { glsDk } from './gls-dk/index.js';
import { homerunner } from './homerunner/index.js';
import { nshift } from './nshift/index.js';
import { ownFleet } from './own-fleet/index.js';
import { postnord } from './postnord/index.js';
import { pretend } from './pretend/index.js';
import { webshipper } from './webshipper/index.js';
import { shipmondo } from './shipmondo/index.js';

/** A carrier as the service knows it; its simulator is loaded only by those who simulate. */
export interface ListedCarrier {
  readonly adapter: CarrierAdapter;
  readonly simulator: () => Promise<StartSimulator>;
}

/** The carriers, one line each. */
export const carriers: readonly ListedCarrier[] = [
  { adapter: bring, simulator: async () => (await import('./bring/simulator.js')).startBringSimulator },
  { adapter: pretend, simulator: async () => (await import('./pretend/simulator/index.js')).startPretendSimulator },
  { adapter: glsDk, simulator: async () => (await import('./gls-dk/simulator.js')).startGlsDkSimulator },
  { adapter: dao, simulator: async () => (await import('./dao/simulator.js')).startDaoSimulator },
  { adapter: budbee, simulator: async () => (await import('./budbee/simulator.js')).startBudbeeSimulator },
  { adapter: ownFleet, simulator: async () => (await import('./own-fleet/simulator.js')).startOwnFleetSimulator },
  { adapter: postnord, simulator: async () => (await import('./postnord/simulator.js')).startPostnordSimulator },
  {
    adapter: danskeFragtmaend,
    simulator: async () => (await import('./danske-fragtmaend/simulator.js')).startFragtSimulator,
  },
  { adapter: homerunner, simulator: async () => (await import('./homerunner/simulator.js')).startHomerunnerSimulator },
  { adapter: webshipper, simulator: async () => (await import('./webshipper/simulator.js')).startWebshipperSimulator },
  { adapter: shipmondo, simulator: async () => (await import('./shipmondo/simulator.js')).startShipmondoSimulator },
  { adapter: nshift, simulator: async () => (await import('./nshift/simulator.js')).startNshiftSimulator },
];
