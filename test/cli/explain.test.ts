import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ExplainCommand, explain } from '../../src/cli/explain/explain.js';
import { sandboxConfig, sandboxEnvironment, sandboxSecrets } from '../../src/cli/sandbox/sandbox-config.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Service, startService, until } from '../support/harness.js';

const { oneParcel, toGermany } = sampleShipments;
/** The area's own address is not known to a file. */
const sellerContactPerson = { name: 'Fjordens Friluft', phoneNumber: '+4575112233' };
const sellerAddress = {
  addressee: 'Fjordens Friluft ApS',
  streetNameAndNumber: 'Havnegade 4',
  cityTownOrVillage: 'Vejle',
  postalCode: '7100',
  countryCode: 'DK',
};
const folder = mkdtempSync(join(tmpdir(), 'waybridge-explain-'));
let service: Service;
let lines: string[];

beforeAll(async () => {
  service = await startService();
  writeFileSync(join(folder, 'waybridge.yaml'), sandboxConfig(service.sandbox));
  // What the service reads at its start is none of the command's requests.
  const areasRead = () => service.requestsSince(0).filter(({ path, status }) => /^\/contexts\//.test(path) && status);
  await until('the service has read its areas', () => areasRead().length === 2);
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  lines = [];
  jest.spyOn(console, 'log').mockImplementation((line: unknown) => void lines.push(String(line)));
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** What the command prints. */
async function printed(shipment: string, options: ExplainCommand = {}, more: object = {}): Promise<string> {
  const place = { port: 0, configFile: join(folder, 'waybridge.yaml'), dataDir: join(folder, 'data') };
  await explain(shipment, options, { ...sandboxEnvironment(service.sandbox, place), PUBLIC_URL: service.url, ...more });
  return lines.join('\n');
}

function file(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

describe('explain', () => {
  it.each(['refused', 'down:2', 'lost:1', 'slow:3000', 'nolabel'])(
    'says that Pretend plays %s in the sandbox where termsOfDelivery says so',
    async (termsOfDelivery) => {
      const shipment = {
        ...oneParcel.shipment,
        carrierName: 'Pretend',
        termsOfDelivery,
        sellerContactPerson,
        sellerAddress,
      };
      const text = await printed(file('played.json', { ...shipment, id: 1, shipmentNumber: '10045' }), { area: '1' });
      expect(text).toContain(`by the rule "Pretend plays ${termsOfDelivery}"`);
      expect(text).toContain(`\n  service ${termsOfDelivery}\n`);
    },
  );

  it('shows in words what the running service would do with a shipment, and who would be asked', async () => {
    const text = await printed(String(service.ship(oneParcel, { carrierName: 'GLS' })), { area: '1' });
    expect(text).toContain('carrier: GLS, chosen by another program or person, and kept');
    expect(text).toContain('deliveryAddress.postalCode: "5000"');
    expect(text).toContain('weightKg: 2.45 (kg)');
    expect(text).toMatch(/failed +Danish pick-up points\n.*deliverToPickUpPoint \$eq true: found false/);
    expect(text).toMatch(/POST http.*CreateShipment/);
    expect(text).toContain('nothing was sent to a carrier');
    for (const secret of Object.values(sandboxSecrets)) expect(text).not.toContain(secret);
  });

  it('is JSON for machines', async () => {
    const found = JSON.parse(await printed(String(service.ship(toGermany)), { area: '1', json: true }));
    expect(found).toMatchObject({ choice: { account: 'bring', rule: 'without a carrier, abroad' } });
  });

  it('names the texts that the carrier gets changed, under the word of today and the first one', async () => {
    const shipment = { ...oneParcel.shipment, notesOnDelivery: 'Behind the red shed' };
    const { textChanges, losses } = JSON.parse(
      await printed(String(service.ship({ ...oneParcel, shipment }, { carrierName: 'GLS' })), {
        area: '1',
        json: true,
      }),
    );
    expect(textChanges).toMatchObject([{ given: 'Behind the red shed', sent: '', kind: 'dropped' }]);
    expect(losses).toEqual(textChanges);
  });

  it('takes a shipment from a file, and sends nothing at all', async () => {
    const mark = service.mark();
    const path = file('shipment.json', {
      ...{ ...toGermany.shipment, sellerAddress, sellerContactPerson },
      shippingContainers: toGermany.containers,
    });
    const text = await printed(path, { area: '1' });
    expect(text).toContain('account bring (Bring), by the rule "without a carrier, abroad"');
    expect(text).toMatch(/POST http.*booking/);
    // The service itself asks nShift what has changed, by `fetchId`, two seconds after its start.
    const sent = service.requestsSince(mark).filter(({ query }) => query['fetchId'] === undefined);
    expect(sent).toEqual([]);
  });

  it('needs nothing but the configuration for a file: no setting, no secret', async () => {
    const path = file('alone.json', {
      ...{ ...toGermany.shipment, sellerAddress, sellerContactPerson },
      shippingContainers: toGermany.containers,
    });
    await explain(path, { area: '1' }, { CONFIG_FILE: join(folder, 'waybridge.yaml') });
    expect(lines.join('\n')).toContain('account bring (Bring), by the rule "without a carrier, abroad"');
    expect(lines[0]).toMatch(/as of \d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  it.each([
    ['a file that is no shipment', () => printed(file('no.json', '[1]'), { area: '1' }), 'is not a shipment'],
    ['a file that is no JSON', () => printed(file('broken.json', '{'), { area: '1' }), 'is not JSON'],
    [
      'an area that is not there',
      () => printed(file('other.json', toGermany.shipment), { area: '9' }),
      'there is no area 9: take --area 1 or --area 2',
    ],
    [
      'an address that is none',
      () => printed(file('address.json', { deliveryAddress: 5 }), { area: '1' }),
      'deliveryAddress must be an object',
    ],
    [
      'a file that is not there',
      () => printed(join(folder, 'none.json'), { area: '1' }),
      'none.json: there is no such file',
    ],
    [
      'no area for a file where there are several',
      () => printed(file('one.json', {})),
      'there are several areas: add --area 1 or --area 2',
    ],
    ['a shipment that is not there', () => printed('123456789', { area: '1' }), 'the service says 404'],
    ['no token', () => printed('1', { area: '1' }, { OPERATOR_TOKEN: '' }), 'by node --env-file=.env'],
    [
      'a token of another service',
      () => printed('1', { area: '1' }, { OPERATOR_TOKEN: 'of-another-service' }),
      'OPERATOR_TOKEN is not a token of the service at http://127.0.0.1:',
    ],
    ['no area where there are several', () => printed('1'), 'there are several areas: add --area 1 or --area 2'],
  ])('says what is wrong with %s', async (_what, attempt, words) => {
    await expect(attempt()).rejects.toThrow(words);
  });
});
