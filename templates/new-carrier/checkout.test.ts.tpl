import { acmeCarrier } from '../../carriers/acme/index.js';
import { startAcmeSimulator } from '../../carriers/acme/simulator.js';
import { describeCarrier } from './contract-suite.js';

describeCarrier(acmeCarrier, { startSimulator: startAcmeSimulator });
