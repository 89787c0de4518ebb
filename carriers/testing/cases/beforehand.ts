import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Address, BookingRequest, Problem, TextChange } from '../../contract/index.js';
import { deepFreeze } from '../assertions.js';
import { anyRequest, danishParty } from '../random-request.js';
import { type ContractCase, type Stage, type Suite, plain, staged } from '../suite.js';

const SENT_REQUESTS = 40;
/** A code such as `down:<n>`. */
const STANDS_FOR_MORE = /<.*>/;

export function beforehandCases(suite: Suite): readonly ContractCase[] {
  const { able, ordinary, received } = suite;
  const check = (request: BookingRequest) => able.check?.(request) ?? [];
  const textChanges = (request: BookingRequest) => able.textChanges?.(request) ?? [];
  return [
    plain('beforehand: judges every request, always in the same way, with a code and words for each problem', () =>
      fc.assert(
        fc.property(anyRequest, (request) => {
          const problems = check(deepFreeze(request));
          const ids = [null, ...request.parcels.map(({ id }) => id)];
          for (const { code, text, parcelId } of problems) {
            assert.ok(code !== null && /^[a-z-]+$/.test(code), `"${code}" is no code of a check`);
            assert.match(text, /\.$/);
            assert.ok(ids.includes(parcelId), `"${parcelId}" is no parcel of the request`);
          }
          assert.deepEqual(check(request), problems);
        }),
      ),
    ),
    plain('beforehand: judges a request that was frozen before goods were part of it', () => {
      assert.deepEqual(check(JSON.parse(JSON.stringify({ ...ordinary, goods: undefined })) as BookingRequest), []);
    }),
    ...(suite.adapter.traits.services === undefined ? [] : [knowsServices(suite, check)]),
    plain('beforehand: tells of every request what the carrier gets otherwise', () =>
      fc.assert(
        fc.property(anyRequest, (request) => {
          const told = textChanges(deepFreeze(request));
          for (const { field, given, sent, kind } of told) {
            assert.notEqual(sent, given, `${field} is told as changed, and is not`);
            assert.ok(sent === '' || kind !== 'dropped', `${field} is told as dropped, and is sent`);
          }
          assert.deepEqual(textChanges(request), told);
        }),
      ),
    ),
    ...(received === null ? [] : [arrives(suite, received)]),
  ];
}

function knowsServices(
  { ordinary, adapter }: Suite,
  check: (request: BookingRequest) => readonly Problem[],
): ContractCase {
  const codes = (adapter.traits.services ?? []).map(({ code }) => code).filter((code) => !STANDS_FOR_MORE.test(code));
  return plain('beforehand: knows each service that the traits state', () => {
    for (const service of codes)
      assert.ok(
        check({ ...ordinary, service }).every(({ code }) => code !== 'unknown-service'),
        `the check does not know ${service}`,
      );
  });
}

/** Made-up requests that `check` may refuse, for each one that is sent. */
const MAX_REFUSED = 50;

function arrives(suite: Suite, received: NonNullable<Suite['received']>): ContractCase {
  const parties = fc.record({ sender: danishParty, recipient: danishParty });
  return staged(
    suite,
    'beforehand: sends what it told, no part of an address is missing from both, and what it takes is booked',
    async (stage) => {
      let sent = 0;
      const refusals = new Map<string, number>();
      const property = fc.asyncProperty(parties, async ({ sender, recipient }) => {
        // Its own reference: a carrier may refuse one that it has already.
        const request = { ...suite.ordinary, reference: `M${sent}`, sender, recipient };
        const codes = refusedFor(stage.connect().check?.(request) ?? []);
        if (sent >= SENT_REQUESTS) return;
        if (codes.length > 0) return codes.forEach((code) => refusals.set(code, (refusals.get(code) ?? 0) + 1));
        sent += 1;
        await sendAndCompare(request, { stage, received, changes: suite.changes });
      });
      await fc.assert(property, { numRuns: SENT_REQUESTS * MAX_REFUSED });
      const counted = [...refusals].map(([code, times]) => `${code} ${times}`).join(', ');
      assert.ok(sent > 0, `check refused all ${SENT_REQUESTS * MAX_REFUSED} made-up requests: ${counted}`);
    },
  );
}

/** The problems that refuse a booking; a warning does not prevent it. */
function refusedFor(problems: readonly Problem[]): readonly string[] {
  return problems.flatMap(({ code, severity }) => (severity === 'warns' ? [] : [code ?? 'without a code']));
}

async function sendAndCompare(
  request: BookingRequest,
  { stage, received, changes }: Pick<Suite, 'changes'> & { stage: Stage; received: NonNullable<Suite['received']> },
): Promise<void> {
  await stage.connect().book(request);
  const last = stage.server.asked().filter(changes).at(-1);
  if (last === undefined) return assert.fail('nothing arrived');
  const arrived = received(last);
  const textChanges = stage.connect().textChanges?.(request) ?? [];
  const ofParties = textChanges.filter(({ field }) => /^(sender|recipient)\./.test(field));
  for (const { field, sent } of ofParties)
    assert.equal(arrived[field] ?? '', sent, `${field} is not sent as it was told`);
  assert.deepEqual(missingParts(request.recipient.address, arrived, ofParties), []);
}

/** The parts of an address whose letters stand neither in what arrived nor in what was told to be lost. */
function missingParts(
  address: Address,
  received: Readonly<Record<string, string | null>>,
  textChanges: readonly TextChange[],
): readonly string[] {
  const bare = (text: string): string => text.normalize('NFC').replace(/[^\p{L}\p{N}]/gu, '');
  const told = Object.fromEntries(textChanges.map(({ field, given }) => [field, given]));
  const lines = Object.entries({ ...received, ...told }).filter(([field]) => field.startsWith('recipient.'));
  const accountedFor = bare(lines.map(([, text]) => text ?? '').join(''));
  const { name, careOf, street, floorBlockOrSuite, district, city, stateOrProvince } = address;
  return [name, careOf, street, floorBlockOrSuite, district, city, stateOrProvince]
    .filter((part) => part !== null)
    .filter((part) => !accountedFor.includes(bare(part)));
}
