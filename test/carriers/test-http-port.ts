import { createHttpPort } from '../../src/transport/http-port.js';

/** The real HTTP port; links may lead to this machine, where the simulators are. */
export const testHttpPort = createHttpPort({ allowPrivateAddresses: 'allowed' });
