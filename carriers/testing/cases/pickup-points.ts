import assert from 'node:assert/strict';
import type { HttpPort, PickupPoint, PickupPointQuery } from '../../contract/index.js';
import { errorOf, rejects, showsNoSecret } from '../assertions.js';
import { type Fault, answering } from '../carrier-server.js';
import { LOST, TOO_MANY, UNREADABLE } from '../faults.js';
import { type ContractCase, type Stage, type Suite, nowhere, staged } from '../suite.js';

const LIMIT = 2;
const NO_POINT = '9';

export function pickupPointCases(suite: Suite): readonly ContractCase[] {
  const near = nearRecipient(suite);
  return [
    staged(suite, 'pick-up points: are at most as many as asked for, each with an id of its own', async (stage) => {
      const points = await pointsOf(stage, near);
      const ids = new Set(points.map(({ id }) => id));
      assert.ok(points.length > 0 && points.length <= LIMIT, `${points.length} points for a limit of ${LIMIT}`);
      assert.equal(ids.size, points.length);
      for (const { id, name, countryCode, distanceM } of points) {
        assert.ok(id !== '' && name !== '');
        assert.match(countryCode, /^[A-Z]{2}$/);
        assert.ok(distanceM === null || (Number.isInteger(distanceM) && distanceM >= 0), `${distanceM} m`);
      }
    }),
    staged(suite, 'pick-up points: are found without a street', async (stage) => {
      assert.ok((await pointsOf(stage, nearRecipient(suite, null))).length > 0);
    }),
    staged(suite, 'pick-up points: are searched for without a change', async (stage) => {
      await pointsOf(stage, near);
      assert.equal(stage.server.asked().filter(suite.changes).length, 0);
      assert.deepEqual(stage.server.simulator.bookings(), []);
    }),
    ...byIdCases(suite),
    ...askedAgain(suite),
    staged(suite, 'pick-up points: can be asked for again from a carrier that is not there', async () => {
      await rejects(nowhere(suite).pickupPoints?.(near), 'CarrierUnavailable');
    }),
    staged(suite, 'pick-up points: show no secret', async ({ failing }) => {
      showsNoSecret(await errorOf(failing(answering(500, 'oops')).pickupPoints?.(near)), suite.secrets);
    }),
  ];
}

function askedAgain(suite: Suite): readonly ContractCase[] {
  const near = nearRecipient(suite);
  const cases = [...LOST, ...UNREADABLE, TOO_MANY] as readonly (readonly [string, Fault, string?])[];
  return cases.map(([what, fault, body]) =>
    staged(suite, `pick-up points: can be asked for again after ${what}`, async (stage) => {
      // A carrier that answers with a list has an empty one where it has no points.
      if (body === '[]' && (await answersList(suite, stage))) return;
      await rejects(stage.failing(fault).pickupPoints?.(near), 'CarrierUnavailable');
    }),
  );
}

async function answersList(suite: Suite, { connect }: Stage): Promise<boolean> {
  let isList = false;
  const { http } = suite;
  const listening: HttpPort = {
    ...http,
    send: async (request) => {
      const answer = await http.send(request);
      isList = new TextDecoder().decode(answer.body).trimStart().startsWith('[');
      return answer;
    },
  };
  await connect(listening).pickupPoints?.(nearRecipient(suite));
  return isList;
}

function byIdCases(suite: Suite): readonly ContractCase[] {
  const near = nearRecipient(suite);
  const { countryCode } = near.near;
  const booked = staged(suite, 'pick-up points: have ids that a booking takes, as they are', async (stage) => {
    const [point] = await pointsOf(stage, near);
    assert.ok(point, 'there is no point');
    await stage.connect().book({ ...suite.ordinary, deliverToPickUpPoint: true, pickUpPointId: point.id });
    const sent = stage.server.asked().filter(suite.changes);
    assert.ok(
      sent.some(({ url, body }) => (url + body()).includes(point.id)),
      `no booking names ${point.id}`,
    );
  });
  if (suite.adapter.traits.pickupPointsBy === 'postal-code')
    return [
      booked,
      staged(suite, 'pick-up points: are not asked for by an id, with words that say so', async (stage) => {
        await rejects(pointsOf(stage, { id: NO_POINT, countryCode }), 'CarrierRejected');
        assert.deepEqual(stage.server.asked(), []);
      }),
    ];
  return [
    booked,
    staged(suite, 'pick-up points: are found again by their ids', async (stage) => {
      for (const { id } of await pointsOf(stage, near)) {
        const found = await pointsOf(stage, { id, countryCode });
        assert.deepEqual(
          found.map((point) => point.id),
          [id],
        );
      }
    }),
    staged(suite, 'pick-up points: are none for an id that no point has', async (stage) => {
      assert.deepEqual(await pointsOf(stage, { id: NO_POINT, countryCode }), []);
    }),
  ];
}

async function pointsOf({ connect }: Stage, query: PickupPointQuery): Promise<readonly PickupPoint[]> {
  return (await connect().pickupPoints?.(query)) ?? [];
}

function nearRecipient({ ordinary }: Suite, street = ordinary.recipient.address.street) {
  const { countryCode, postalCode } = ordinary.recipient.address;
  return { near: { countryCode: countryCode ?? '', postalCode: postalCode ?? '', street }, limit: LIMIT };
}
