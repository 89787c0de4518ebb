// The distance between the service and its stand-ins.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { forkAsked } from './asked-process.js';

const PROGRAM = fileURLToPath(new URL('./network-process.js', import.meta.url));

/**
 * @param sandbox of `startSandboxProcess`
 * @returns `far`: the same sandbox as one reaches it over TLS from a distance; `control.setRoundTrip(ms)`;
 *   `control.counts()`: `connections` since the start, those `open` now, and `waits`: how often requests
 *   waited for connections;
 *   `certificate`: the path of what has to be believed (`NODE_EXTRA_CA_CERTS`); `end`
 */
export async function startNetworkProcess(sandbox) {
  const { control, end } = forkAsked(PROGRAM, 'network');
  const { imsPort, carrierPort, cert } = await control.begin({ port: Number(new URL(sandbox.url).port) });
  const folder = mkdtempSync(join(tmpdir(), 'waybridge-network-'));
  const certificate = join(folder, 'certificate.pem');
  writeFileSync(certificate, cert);
  const afar = (url, port) => url.replace(/^http:\/\/[^/]+/, `https://127.0.0.1:${port}`);
  const far = {
    ...sandbox,
    ...{ imsBaseUrl: afar(sandbox.imsBaseUrl, imsPort), authUrl: afar(sandbox.authUrl, imsPort) },
    carrierUrl: (id) => afar(sandbox.carrierUrl(id), carrierPort),
  };
  const endAll = async () => {
    await end();
    rmSync(folder, { recursive: true, force: true });
  };
  return { far, control, certificate, end: endAll };
}
