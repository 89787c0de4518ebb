import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type {
  CallbackDelivery,
  CallbackOutcome,
  CallProof,
  SimulatedCall,
  SimulatedEvent,
} from '../../carriers/contract/index.js';
import { TEST_NOW } from './sample-request.js';

export interface CallbackSuite {
  /** Long enough for every scheme. */
  readonly secrets: { readonly current: string; readonly previous: string; readonly foreign: string };
  /** A call as the carrier makes it. */
  readonly call: (event: SimulatedEvent, proof: CallProof) => SimulatedCall;
  /** Headers that prove any body. */
  readonly prove: (body: Uint8Array, proof: CallProof) => Readonly<Record<string, string>>;
  /** Where the proof is not beside the body but around what it holds. */
  readonly sealed?: {
    readonly open: (body: string) => string;
    readonly seal: (content: Uint8Array, proof: CallProof) => string;
  };
  /** Headers without each of which it is not believed. */
  readonly needed: readonly string[];
  /** Where it is not the id in the call. */
  readonly id?: string;
  /** The carrier's word for `delivered`, where it is another one. */
  readonly delivered?: string;
  /** Whether the body is bound to the proof, and the proof to a moment. */
  readonly signed: 'yes' | 'without-a-moment' | 'no';
}

type Parse = (raw: Uint8Array, delivery: CallbackDelivery) => CallbackOutcome;

const EVENT: SimulatedEvent = {
  id: 'event-1',
  trackingNumber: '370000000000000011',
  status: 'delivered',
  at: new Date('2030-03-04T07:58:48Z'),
  place: 'Odense',
};
const OLD_MS = 10 * 60_000;
const MEGABYTE = 1_000_000;
/** A busy machine needs seconds; work that grows with the square of a megabyte takes hours. */
const FAR_LESS_THAN_SQUARED_MS = 60_000;

/** What every form of callback must do with what comes from the network. */
export function describeCallbacks(name: string, parse: Parse, suite: CallbackSuite): void {
  describe(`callbacks of ${name}`, () => {
    const { current, previous, foreign } = suite.secrets;
    const proof = { secret: current, sentAt: TEST_NOW };
    const genuine = suite.call(EVENT, proof);
    const content = suite.sealed?.open(genuine.body) ?? genuine.body;

    function received(call: SimulatedCall, changes: Partial<CallbackDelivery> = {}): CallbackOutcome {
      const headers = { 'content-type': 'application/json', ...call.headers };
      return parse(Buffer.from(call.body), { headers, secrets: { current }, now: TEST_NOW, ...changes });
    }
    /** A body that is not the carrier's, with a proof that is. */
    function proven(body: string | Uint8Array): CallbackOutcome {
      const raw = Buffer.from(suite.sealed?.seal(Buffer.from(body), proof) ?? body);
      return parse(raw, { headers: suite.prove(raw, proof), secrets: { current }, now: TEST_NOW });
    }

    it('are read into events of ours', () => {
      const outcome = received(genuine);
      expect(outcome).toMatchObject({
        kind: 'events',
        events: [
          { trackingNumber: EVENT.trackingNumber, status: 'delivered', id: suite.id ?? EVENT.id, zone: 'stated' },
        ],
      });
      if (outcome.kind !== 'events') throw new Error('no events');
      expect(outcome.events.map((event) => Date.parse(event.at))).toEqual([EVENT.at.getTime()]);
    });

    it('come to the same when they are replayed, so that the second is known', () => {
      expect(received(genuine)).toEqual(received(genuine));
    });

    it('are believed with the previous secret while it is given, and not after that', () => {
      const old = suite.call(EVENT, { ...proof, secret: previous });
      expect(received(old, { secrets: { current, previous } }).kind).toBe('events');
      expect(received(genuine, { secrets: { current, previous } }).kind).toBe('events');
      expect(received(old).kind).toBe('refused');
    });

    it('are refused with a secret that is not ours', () => {
      const forged = suite.call(EVENT, { ...proof, secret: foreign });
      expect(received(forged, { secrets: { current, previous } }).kind).toBe('refused');
    });

    for (const header of suite.needed)
      it(`are refused without the header ${header}, or with another one`, () => {
        const { [header]: value = '', ...others } = genuine.headers;
        expect(received({ ...genuine, headers: others }).kind).toBe('refused');
        for (const other of ['', ' ', `x${value}`, '\u00e6', 'constructor', '__proto__'])
          expect(received({ ...genuine, headers: { ...others, [header]: other } }).kind).toBe('refused');
      });

    it.each(['', ' ', 'whsec_', 'whsec_%%%'])('are never believed when our own secret is %j', (secret) => {
      const headers = Object.fromEntries(suite.needed.map((header) => [header, secret]));
      const outcome = received(
        { ...genuine, headers: { ...genuine.headers, ...headers } },
        {
          secrets: { current: secret.trim() },
        },
      );
      if (suite.signed !== 'no' || secret.trim() === '') expect(outcome.kind).toBe('refused');
    });

    it('cut short at any place are refused or ignored', () => {
      for (let length = 0; length < genuine.body.length; length += 1) {
        const cut = received({ ...genuine, body: genuine.body.slice(0, length) });
        if (suite.signed !== 'no') expect(cut.kind).toBe('refused');
        expect(cut.kind).not.toBe('events');
      }
    });

    if (suite.signed !== 'no') {
      it('are refused when any byte of the body was changed', () => {
        const raw = Buffer.from(genuine.body);
        for (let index = 0; index < raw.length; index += 1) {
          const changed = Buffer.from(raw);
          changed[index] = (changed[index] ?? 0) ^ 1;
          const delivery = { headers: genuine.headers, secrets: { current }, now: TEST_NOW };
          expect(parse(changed, delivery).kind).toBe('refused');
        }
      });
    }

    if (suite.signed === 'yes') {
      it.each([-OLD_MS, OLD_MS])('are refused when they were signed %i ms from now', (ms) => {
        expect(received(genuine, { now: new Date(TEST_NOW.getTime() + ms) }).kind).toBe('refused');
      });
    }

    it.each([
      ['nothing', ''],
      ['null', 'null'],
      ['a number', '7'],
      ['a list', '[]'],
      ['an object', '{}'],
      ['lists of everything', '{"events":[null,1,"x",[],{}],"package":{},"status":[]}'],
      ['a page', '<html></html>'],
      ['no UTF-8', Buffer.from([0xff, 0xfe, 0x00, 0x7b])],
      ['names of prototypes', '{"__proto__":{"package":"1","status":"DELIVERED","events":[]},"constructor":1}'],
      ['a time without an offset and no status', '{"trackingNumber":"1","at":"2030-03-04T08:00:00"}'],
      ['a tree too deep', '['.repeat(50_000)],
    ])('that are genuine and hold %s are ignored', (_case, body) => {
      expect(proven(body).kind).toBe('ignored');
      expect(Object.keys(Object.prototype)).toEqual([]);
    });

    it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
      'with the status "%s" hold one that nobody knows',
      (word) => {
        const { delivered = 'delivered|DELIVERED' } = suite;
        const body = JSON.parse(content.replace(new RegExp(`"(${delivered})"`, 'g'), JSON.stringify(word)));
        const outcome = proven(JSON.stringify(body));
        expect(outcome).toMatchObject({ kind: 'events', events: [{ status: 'unrecognised', code: word }] });
      },
    );

    it(
      'of a megabyte are dealt with at once, proven or not',
      () => {
        const begin = performance.now();
        const large = [`{"x":"${'y'.repeat(MEGABYTE)}"}`, '[1,'.repeat(MEGABYTE / 3), '"'.repeat(MEGABYTE)];
        for (const body of large) {
          expect(proven(body).kind).toBe('ignored');
          expect(received({ ...genuine, body }).kind).not.toBe('events');
        }
        const noise = 'v1,'.repeat(MEGABYTE / 3);
        const headers = Object.fromEntries(suite.needed.map((header) => [header, noise]));
        if (suite.needed.length > 0) expect(received({ ...genuine, headers }).kind).toBe('refused');
        expect(performance.now() - begin).toBeLessThan(FAR_LESS_THAN_SQUARED_MS);
      },
      FAR_LESS_THAN_SQUARED_MS,
    );

    it('never hold texts that cannot be stored', () => {
      const long = `${'a'.repeat(499)}😀`;
      const body = content.replace(/"(Odense|event-1)"/g, JSON.stringify(long));
      const outcome = proven(body);
      const texts = outcome.kind === 'events' ? outcome.events.flatMap((event) => Object.values(event)) : [];
      expect(texts.length).toBeGreaterThan(0);
      for (const text of texts) if (typeof text === 'string') expect(text.isWellFormed()).toBe(true);
    });

    it('never make it throw, whatever comes', () => {
      const anything = fc.oneof(
        fc.uint8Array({ maxLength: 300 }),
        fc.json().map((text) => Buffer.from(text)),
      );
      fc.assert(
        fc.property(anything, fc.dictionary(fc.string(), fc.string()), (raw, headers) => {
          expect(parse(raw, { headers, secrets: { current, previous }, now: TEST_NOW }).kind).toBe('refused');
          expect(['ignored', 'events']).toContain(proven(raw).kind);
        }),
      );
    });
  });
}
