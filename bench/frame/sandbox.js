// A sandbox in a process of its own: it must share its processor time neither with the service nor with the load.
import { fileURLToPath } from 'node:url';
import { forkAsked } from './asked-process.js';

const PROGRAM = fileURLToPath(new URL('./sandbox-process.js', import.meta.url));

/**
 * @param options `imsMs`, `carrierMs`: how long every answer is held back; `areas`: how many there are, 1 to so many;
 *   `switches` of the sandbox
 * @returns its addresses; `control.<method>(…)`, the sandbox's control interface and what `sandbox-process.js` adds to
 *   it, each as a promise; `end`
 */
export async function startSandboxProcess(options = {}) {
  const { control, end } = forkAsked(PROGRAM, 'sandbox');
  const addresses = await control.begin(options);
  return { ...addresses, carrierUrl: (id) => `${addresses.url}/carriers/${id}`, control, end };
}
