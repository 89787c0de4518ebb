import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CarrierAccount } from '../../carriers/contract/adapter.js';
import type { ConfiguredAccount } from '../../src/config/sections/account.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { BOMBS } from '../labels/bombs.js';
import { handWrittenPdf, label } from '../labels/pdfs.js';
import { type Service, startService, until } from '../support/harness.js';

const MB = 1_000_000;

let service: Service;
let sends: Uint8Array = new Uint8Array();

/** A carrier that books as always and answers with something in place of the label. */
function withOddLabels(account: ConfiguredAccount): ConfiguredAccount {
  const { adapter } = account;
  const connect: typeof adapter.connect = (config, tools) => {
    const connected: CarrierAccount = adapter.connect(config, tools);
    return {
      ...connected,
      book: async (request) => ({ ...(await connected.book(request)), labels: [label(sends)] }),
    };
  };
  return account.name === 'pretend' ? { ...account, adapter: { ...adapter, connect } } : account;
}

beforeAll(async () => {
  service = await startService({ account: withOddLabels });
});

afterAll(() => service.stop());

function bomb(name: string) {
  const found = BOMBS.find(([what]) => what === name);
  if (!found) throw new Error(`no bomb ${name}`);
  return found[1];
}

describe('a label that cannot be used', () => {
  it.each<[string, () => Promise<Uint8Array> | Uint8Array, RegExp]>([
    ['a page for people', () => Buffer.from('<html>Log in</html>'), /label 1 of 1 is not a PDF/],
    ['10 MB of nothing', () => handWrittenPdf([' '.repeat(10 * MB)]), /larger than 10 MB/],
    ['a gigabyte, packed', bomb('unpacks to a gigabyte'), /too large when it is unpacked/],
    // On a busy machine the time ends before the memory.
    [
      'four billion objects',
      bomb('lists four billion objects that take no space'),
      /takes more than (256 MB of memory|15 seconds to read)/,
    ],
  ])('leaves the booking, is told and kept as it came: %s', async (_what, make, because) => {
    sends = await make();
    const documentId = service.book(service.ship(sampleShipments.oneParcel, { carrierName: 'Pretend' }));
    await until('it is given up', () => service.document(documentId).workStatus === 'FAILED');
    const ending = await service.ending(documentId);
    expect(ending).toMatchObject({
      workStatus: 'FAILED',
      pages: null,
      prints: [],
      consignment: { state: 'incomplete' },
    });
    expect(ending.trackingNumbers).toEqual([expect.any(String)]);
    expect(ending.messages.map(({ text }) => text).join('\n')).toMatch(because);
    expect(ending.messages.map(({ text }) => text).join('\n')).toContain('Do not create the transport booking again');
    expect(service.bookings('pretend', service.numberOf(ending.documentId))).toHaveLength(1);
    const kept = await service.operator(`/consignments/${ending.consignment.id}/labels/1`);
    expect([kept.status, Buffer.compare(kept.bytes, sends)]).toEqual([200, 0]);
  });

  it('delays no other booking', async () => {
    sends = await bomb('is 10 MB of noise between its head and its end')();
    const bad = service.book(service.ship(sampleShipments.oneParcel, { carrierName: 'Pretend' }));
    const good = await service.run(sampleShipments.oneParcel, { carrierName: 'GLS' });
    expect(good).toMatchObject({ workStatus: 'DONE', pages: 1 });
    expect(service.document(bad).workStatus).toBe('ON_GOING');
  });
});
