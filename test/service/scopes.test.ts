import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Ending, type Service, parcels, startService } from './harness.js';

let service: Service;
let first: Ending;
let second: Ending;

beforeAll(async () => {
  service = await startService({ client: 'consignment' });
  first = await service.run(parcels(2), { carrierName: 'GLS' });
  second = await service.run(parcels(1), { carrierName: 'Pretend' });
});

afterAll(() => service.stop());

const typed = (ending: Ending, type: string) => ending.messages.filter((message) => message.type === type);

describe('with the scope of consignments alone', () => {
  it('books and writes the tracking numbers', () => {
    const bookings = [
      ...service.bookings('gls-dk', service.numberOf(first.documentId)),
      ...service.bookings('pretend', service.numberOf(second.documentId)),
    ];
    expect([first.trackingNumbers, second.trackingNumbers]).toEqual(bookings.map((booking) => booking.trackingNumbers));
    expect([first.consignment.state, second.consignment.state]).toEqual(['closed', 'closed']);
  });

  it('says once, over two bookings, what it is not allowed to do', () => {
    const [warning, ...more] = [...typed(first, 'WARNING'), ...typed(second, 'WARNING')];
    expect(more).toEqual([]);
    for (const operation of ['PATCH /documents', 'PATCH /shipments', '/attachments', 'printResource', 'api/full'])
      expect(warning?.text).toContain(operation);
  });

  it('does not ask for what its token does not cover', () => {
    const asked = service.requestsSince(0, 'ims').filter((request) => request.status === 403);
    expect(asked.map((request) => `${request.method} ${request.path}`)).toEqual([]);
  });

  describe('gives the worker a link', () => {
    const linkOf = (ending: Ending) => {
      const link = new URL(/http\S+\/labels\/\S+/.exec(typed(ending, 'INFO')[0]?.text ?? '')?.[0] ?? '');
      return `${link.pathname}${link.search}`;
    };

    it('that gives the label without signing in', async () => {
      const answer = await service.ask(linkOf(first));
      expect([answer.status, answer.type]).toEqual([200, 'application/pdf']);
      expect(answer.bytes.subarray(0, 5).toString()).toBe('%PDF-');
      expect(answer.headers.get('cache-control')).toContain('no-store');
    });

    it.each<readonly [string, (link: string) => string]>([
      [
        'another signature',
        (link) => link.replace(/signature=(.)/, (_all, first) => `signature=${first === '_' ? 'x' : '_'}`),
      ],
      ['a later end', (link) => link.replace(/expires=\d+/, 'expires=99999999999')],
      ['an end in the past', (link) => link.replace(/expires=\d+/, 'expires=1')],
      ['no signature', (link) => link.replace(/&signature=.*/, '')],
      ['two signatures', (link) => `${link}&signature=x`],
      ['no end', (link) => link.replace(/expires=\d+&/, '')],
      ["another booking's label", (link) => link.replace(/labels\/[^?]+/, `labels/${second.consignment.id}.pdf`)],
      ['a path', (link) => link.replace(/labels\/[^?]+/, 'labels/..%2F..%2Fpackage.json')],
    ])('that gives nothing with %s', async (_what, tamper) => {
      const answer = await service.ask(tamper(linkOf(first)));
      expect([answer.status, answer.type]).toEqual([403, expect.stringContaining('application/problem+json')]);
    });
  });
});
