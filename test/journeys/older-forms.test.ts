import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { sandboxSecrets } from '../../src/cli/sandbox/sandbox-config.js';
import { type Service, startService, until } from '../support/harness.js';
import { cookieFor, hiddenIn } from '../support/page-for.js';

let service: Service;
let cookie: string;

beforeAll(async () => {
  service = await startService();
  cookie = await cookieFor(service, sandboxSecrets.OPERATOR_TOKEN);
});
afterAll(() => service.stop());

const read = async (path: string) => (await fetch(`${service.url}${path}`, { headers: { cookie } })).text();

const send = (path: string, body: URLSearchParams | FormData) =>
  fetch(`${service.url}${path}`, { method: 'POST', redirect: 'manual', headers: { cookie }, body });

function formOf(fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

const resolve = (id: string, body: object) => service.operator(`/consignments/${id}/resolve`, { method: 'POST', body });

/** A booking whose answer is lost, and after the first answer of a person once more. */
async function lostTwice() {
  // The carrier has ended its work, so that a person can say at once that it is not there.
  const lost = { target: 'dao', kind: 'status', status: 500, path: '/leveringsordre' } as const;
  service.control.addFault(lost);
  const { consignment, documentId } = await service.run(sampleShipments.oneParcel, { carrierName: 'DAO' });
  const id = String(consignment.id);
  const pages = { one: await read(`/consignments/${id}/resolve`), list: await read('/needs-a-person') };
  const stays = async () => (await service.look(documentId)).consignment;
  service.control.addFault(lost);
  expect((await service.act(consignment, 'resolve', { answer: 'not-booked' })).status).toBe(202);
  await until('its answer is lost again', async () => {
    const { run, needsOperator } = await stays();
    return run === 2 && needsOperator;
  });
  const sentAt: unknown = consignment.unconfirmed[0].sentAt;
  return { id, reference: String(consignment.reference), sentAt, pages, stays };
}

describe('a form that was opened before a booking in doubt was sent again', () => {
  let lost: Awaited<ReturnType<typeof lostTwice>>;

  beforeAll(async () => {
    lost = await lostTwice();
  });

  it('does not end the later request by "give up"', async () => {
    const { id, pages, stays } = lost;
    const fields = { ...hiddenIn(pages.one), answer: 'give-up' };
    const refused = await send(`/consignments/${id}/resolve`, new URLSearchParams(fields));
    expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining('was sent again since')]);
    expect(await stays()).toMatchObject({ run: 2, needsOperator: true });
  });

  it('does not apply the answers of a list to it, also after they were reviewed', async () => {
    const { id, reference, pages, stays } = lost;
    const listed = { ...hiddenIn(pages.list), id, [`outcome:${id}:${reference}`]: 'give-up' };
    const review = await (await send('/needs-a-person/review', formOf(listed))).text();
    expect(review).toContain('was sent again since');
    const applied = await (await send('/needs-a-person/resolve', formOf(hiddenIn(review)))).text();
    expect(applied).toContain('was sent again since');
    expect(await stays()).toMatchObject({ run: 2, needsOperator: true });
  });

  it('is refused by the API too, which takes an answer about the request that is in doubt now', async () => {
    const { id, reference, sentAt, stays } = lost;
    const older = { reference, outcome: 'not-booked', sentAt };
    const refused = { status: 409, body: { detail: expect.stringContaining('was sent again since') } };
    expect(await resolve(id, { answer: 'give-up', sentAt })).toMatchObject(refused);
    expect(await resolve(id, { parts: [older] })).toMatchObject(refused);
    expect(await resolve(id, { answer: 'not-booked', sentAt: null })).toMatchObject(refused);
    const tried = async (answer: object) => {
      const body = { answers: [{ id, ...answer }], dryRun: true };
      return (await service.operator('/consignments/resolve', { method: 'POST', body })).body.results[0];
    };
    expect(await tried({ parts: [older] })).toMatchObject({ outcome: 'not-possible' });
    const [now] = (await stays()).unconfirmed;
    expect(await tried({ parts: [{ ...older, sentAt: now.sentAt }] })).toMatchObject({ outcome: 'accepted' });
    expect(await stays()).toMatchObject({ run: 2, needsOperator: true });
  });

  it('is named as left out, on the page that reviews it and in the result, once the booking is not in doubt any more', async () => {
    const { id, reference, stays } = lost;
    const form = { ...hiddenIn(await read('/needs-a-person')), id, [`outcome:${id}:${reference}`]: 'not-booked' };
    const { sentAt } = (await stays()).unconfirmed[0];
    expect((await resolve(id, { answer: 'give-up', sentAt })).status).toBe(202);
    const because = 'it is not in doubt any more: the answer changes nothing (last: resolve by ';
    const review = await (await send('/needs-a-person/review', formOf(form))).text();
    expect(review).toContain(because);
    expect(review).not.toContain('without an answer');
    const result = await (await send('/needs-a-person/resolve', formOf(form))).text();
    expect(result).toContain('Nothing was changed at 1');
    expect(result).toContain(because);
  });
});

describe('an answer to the API', () => {
  it.each([
    ['a time without a zone', { answer: 'give-up', sentAt: '2026-03-04T12:00:00' }],
    ['a number', { answer: 'give-up', sentAt: 17 }],
    ['a time beside parts', { parts: [{ reference: '1', outcome: 'not-booked' }], sentAt: null }],
  ])('is refused with %s as the time of sending', async (_what, body) => {
    expect(await resolve('any', body)).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(/^sentAt /) },
    });
  });
});
