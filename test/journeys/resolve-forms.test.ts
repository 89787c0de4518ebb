import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sandboxSecrets } from '../../src/cli/sandbox/sandbox-config.js';
import type { ConfiguredAccount } from '../../src/config/sections/account.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Service, parcels, startService } from '../support/harness.js';
import { cookieFor, hiddenIn } from '../support/page-for.js';

let service: Service;
let cookie: string;

beforeAll(async () => {
  service = await startService({ account: withoutSearch });
  cookie = await cookieFor(service, sandboxSecrets.OPERATOR_TOKEN);
});
afterAll(() => service.stop());

/** Pretend fetches labels by its number of the booking; here it cannot be asked for a lost one. */
function withoutSearch(account: ConfiguredAccount): ConfiguredAccount {
  const { adapter } = account;
  if (adapter.id !== 'pretend') return account;
  const connect: typeof adapter.connect = (config, tools) => {
    const { findByReference, ...carrier } = adapter.connect(config, tools);
    expect(findByReference).toBeDefined();
    return carrier;
  };
  const traits = { ...adapter.traits, bookingVisibleAfterMs: 0 };
  return { ...account, adapter: { ...adapter, traits, connect } };
}

const read = async (path: string) => (await fetch(`${service.url}${path}`, { headers: { cookie } })).text();

async function send(path: string, body: URLSearchParams | FormData) {
  const answer = await fetch(`${service.url}${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie },
    body,
  });
  return { status: answer.status, text: await answer.text() };
}

/** Parcels at Pretend whose answer is lost, and what its portal shows of them. */
async function lost(count: number) {
  service.control.addFault({ target: 'pretend', kind: 'reset-after', method: 'POST' });
  const shipped = parcels(count, sampleShipments.oneParcel);
  const { documentId, consignment } = await service.run(shipped, { carrierName: 'Pretend' });
  const [booked] = service.bookings('pretend', String(consignment.reference));
  const containers = booked?.parcelIds ?? [];
  const numbers = containers.map((id, place) => [id, booked?.trackingNumbers[place] ?? ''] as const);
  return { documentId, id: String(consignment.id), reference: String(consignment.reference), booked, numbers };
}

/** The name of the field with this label. */
function fieldNamed(page: string, label: RegExp): string {
  const names = [...page.matchAll(/<label class="field">([^<]*)<input name="([^"]*)"/g)];
  const labelled = [...page.matchAll(/<input name="([^"]*)"[^>]* aria-label="([^"]*)"/g)];
  const fields = [
    ...names.map(([, text = '', name]) => [text, name]),
    ...labelled.map(([, name, text]) => [text, name]),
  ];
  const [, name] = fields.find(([text = '']) => label.test(text)) ?? [];
  if (name === undefined) throw new Error(`the page has no field ${label.source}`);
  return name;
}

const closed = (trackingNumbers: readonly string[] | undefined, carrierNumber: string | null | undefined) => ({
  ...{ workStatus: 'DONE', pages: trackingNumbers?.length, trackingNumbers },
  consignment: { state: 'closed', carrierNumber },
});

describe("the carrier's number that a person types for a booking in doubt", () => {
  it('gets the label, from the form of one booking', async () => {
    const { documentId, id, reference, booked, numbers } = await lost(2);
    const page = await read(`/consignments/${id}/resolve`);
    const carrierNumber = fieldNamed(page, /^Number of the booking/);
    const typed = Object.fromEntries(
      numbers.map(([container, number]) => [`number:${reference}:${container}`, number]),
    );
    const answer = { [`outcome:${reference}`]: 'booked', [carrierNumber]: String(booked?.carrierNumber), ...typed };
    await send(`/consignments/${id}/resolve`, new URLSearchParams({ ...hiddenIn(page), ...answer }));
    expect(await service.ending(documentId)).toMatchObject(closed(booked?.trackingNumbers, booked?.carrierNumber));
  });

  it('gets the label, from the list of all bookings in doubt, and stands in its review', async () => {
    const { documentId, id, reference, booked, numbers } = await lost(1);
    const page = await read('/needs-a-person');
    const carrierNumber = fieldNamed(page, /^Number of the booking/);
    const typed = Object.fromEntries(
      numbers.map(([container, number]) => [`number:${id}:${reference}:${container}`, number]),
    );
    const answer = {
      [`outcome:${id}:${reference}`]: 'booked',
      [carrierNumber]: String(booked?.carrierNumber),
      ...typed,
    };
    const list = new FormData();
    for (const [name, value] of Object.entries({ ...hiddenIn(page), id, ...answer })) list.set(name, value);
    const review = (await send('/needs-a-person/review', list)).text;
    expect(review.replace(/<input[^>]*>/g, '')).toContain(String(booked?.carrierNumber));
    const reviewed = new FormData();
    for (const [name, value] of Object.entries(hiddenIn(review))) reviewed.set(name, value);
    await send('/needs-a-person/resolve', reviewed);
    expect(await service.ending(documentId)).toMatchObject(closed(booked?.trackingNumbers, booked?.carrierNumber));
  });
});
