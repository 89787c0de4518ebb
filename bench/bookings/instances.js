// Two and three instances on one Postgres server against one.
import { drain } from './drain.js';

export const needsPostgres = true;
export const name = 'instances';
export const seconds = 240;

const AREAS = 40;
const IMS_MS = 100;
/**
 * With a carrier this slow the 16 calls that an instance makes to one account at once are what limits it: 16 every two
 * seconds. Without that it is the processor, of which all processes have the same.
 */
const SLOW_CARRIER_MS = 2_000;
const INSTANCES = [1, 2, 3];
const GOALS = { 2: 1.8, 3: 2.5 };
const WARM_UP_EACH = 2;
/** Bookings under way, for each instance: more than one can do at once. */
const AT_ONCE = 60;

export async function run(frame) {
  const postgres = await frame.postgres();
  await compare(
    { frame, postgres },
    { what: 'a slow carrier', carrierMs: SLOW_CARRIER_MS, each: (instances) => 4 * instances },
  );
  await compare({ frame, postgres }, { what: 'all of the processor', carrierMs: 0, each: () => 6 });
}

async function compare({ frame, postgres }, { what, carrierMs, each }) {
  const rates = {};
  for (const instances of INSTANCES)
    rates[instances] = await perSecond({ frame, postgres }, { instances, carrierMs, each: each(instances) });
  for (const [instances, goal] of Object.entries(GOALS))
    frame.measure(`${instances} instances, limited by ${what}`, {
      ...{ value: rates[instances] / rates[1], unit: '×', goal: { atLeast: goal } },
      control: [
        { what: 'together', value: rates[instances], unit: 'bookings/s' },
        { what: 'one alone', value: rates[1], unit: 'bookings/s' },
      ],
    });
}

async function perSecond({ frame, postgres }, { instances, carrierMs, each }) {
  const sandbox = await frame.sandbox({ imsMs: IMS_MS, carrierMs, areas: AREAS });
  const databaseUrl = await postgres.database();
  const services = [];
  for (let n = 0; n < instances; n += 1) services.push(await frame.service(sandbox, { databaseUrl }));
  const around = { frame, sandbox, services, client: await frame.client() };
  try {
    const atOnce = AT_ONCE * instances;
    await drain(around, { bookings: await sandbox.control.addBookings({ areas: AREAS, count: WARM_UP_EACH }), atOnce });
    return await drain(around, { bookings: await sandbox.control.addBookings({ areas: AREAS, count: each }), atOnce });
  } finally {
    await Promise.all([...services, sandbox].map(({ end }) => end()));
  }
}
