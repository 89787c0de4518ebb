import assert from 'node:assert/strict';
import type { CallbackDelivery, CallbackOutcome, SimulatedCall, SimulatedEvent } from '../../contract/index.js';
import { type ContractCase, type Stage, type Suite, TEST_NOW, staged } from '../suite.js';

/** Long enough for every scheme; Standard Webhooks reads what follows the prefix as base64. */
const CURRENT = `whsec_${Buffer.from('the secret of these cases').toString('base64')}`;
const FOREIGN = `whsec_${Buffer.from('the secret of a stranger').toString('base64')}`;

const EVENT: SimulatedEvent = {
  id: 'event-1',
  trackingNumber: '370000000000000011',
  status: 'delivered',
  at: new Date('2030-03-04T07:58:48Z'),
  place: 'Odense',
};

const NOT_OURS = ['', 'null', '7', '[]', '{}', '<html></html>', '{"events":[null,1,"x",[],{}]}', '['.repeat(50_000)];

/** For a carrier with callbacks of its own form, whose simulator makes them. */
export function callbackCases(suite: Suite): readonly ContractCase[] {
  return [
    staged(suite, 'callbacks: are read into events, with the moment', (stage) => {
      const outcome = received(suite, callOf(stage, CURRENT));
      assert.equal(outcome.kind, 'events');
      const told = eventsOf(outcome).map((event) => [event.trackingNumber, event.status, Date.parse(event.at)]);
      assert.deepEqual(told, [[EVENT.trackingNumber, EVENT.status, EVENT.at.getTime()]]);
      return Promise.resolve();
    }),
    staged(suite, 'callbacks: are refused with a secret that is not ours', (stage) => {
      assert.equal(received(suite, callOf(stage, FOREIGN)).kind, 'refused');
      return Promise.resolve();
    }),
    staged(suite, 'callbacks: are refused without what proves them', (stage) => {
      const call = callOf(stage, CURRENT);
      const isInHeaders = received(suite, { ...call, headers: {} }).kind === 'refused';
      // Otherwise the proof is in the body, and fits no other one.
      if (!isInHeaders) assert.equal(received(suite, { ...call, body: withOtherLetter(call.body) }).kind, 'refused');
      return Promise.resolve();
    }),
    staged(suite, 'callbacks: are believed with the previous secret while it is given', (stage) => {
      const secrets = { current: FOREIGN, previous: CURRENT };
      assert.equal(received(suite, callOf(stage, CURRENT), { secrets }).kind, 'events');
      return Promise.resolve();
    }),
    staged(suite, 'callbacks: that hold anything else are refused or ignored', (stage) => {
      const { headers } = callOf(stage, CURRENT);
      for (const body of NOT_OURS)
        assert.notEqual(received(suite, { headers, body }).kind, 'events', body.slice(0, 40));
      return Promise.resolve();
    }),
  ];
}

function callOf({ server }: Stage, secret: string): SimulatedCall {
  const call = server.simulator.callback?.(EVENT, { secret, sentAt: TEST_NOW });
  assert.ok(call, 'the adapter reads callbacks, and its simulator makes none');
  return call;
}

function received(
  { adapter }: Suite,
  { headers, body }: SimulatedCall,
  changes: Partial<CallbackDelivery> = {},
): CallbackOutcome {
  const delivery = {
    headers: { 'content-type': 'application/json', ...headers },
    secrets: { current: CURRENT },
    now: TEST_NOW,
    ...changes,
  };
  const outcome = adapter.parseCallback?.(Buffer.from(body), delivery);
  assert.ok(outcome, 'the adapter reads no callbacks');
  return outcome;
}

/** Changes one letter in the middle. */
function withOtherLetter(body: string): string {
  const place = Math.floor(body.length / 2);
  return `${body.slice(0, place)}${body[place] === 'x' ? 'y' : 'x'}${body.slice(place + 1)}`;
}

function eventsOf(outcome: CallbackOutcome) {
  return outcome.kind === 'events' ? outcome.events : [];
}
