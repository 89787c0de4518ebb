import { writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { plainToInstance } from 'class-transformer';
import type { LabelDrawing } from '../../../carriers/contract/index.js';
import { sampleRequest } from '../../../carriers/contract/sample-request.js';
import { OwnFleetConfig } from '../../../carriers/own-fleet/config.js';
import { ownFleet } from '../../../carriers/own-fleet/index.js';
import { createNumbers } from '../../../src/accounts/number-rows.js';
import { openPostgres } from '../../../src/db/postgres.js';
import { silentLog } from '../../../src/log.js';
import { operatorFiles } from '../../../src/program-files.js';

const PAUSE_MS = 10;
/** Between the numbers and the end of a booking, for an instance to die in. */
const DRAWING_MS = 30;
/** Empty: the test reads numbers only, and instances that start need the processor. */
const labels: LabelDrawing = { draw: () => pause(DRAWING_MS, new Uint8Array()) };

/**
 * Books with the carrier own-fleet until it is killed, two bookings at once, and writes a line for each parcel that was booked:
 * `reference parcel SSCC`.
 * @param from the number of its first reference, so that it begins with bookings that it may have made before
 */
async function main(url: string, name: string, from: number): Promise<void> {
  const database = openPostgres(url, silentLog);
  const config = plainToInstance(OwnFleetConfig, { companyPrefix: '9521234' }, { exposeDefaultValues: true });
  const away = () => Promise.reject(new Error('nothing is sent'));
  const account = ownFleet.connect(config, {
    ...{
      http: { send: away, fetchLink: away },
      clock: { now: () => new Date() },
      baseUrl: 'https://own-fleet.invalid',
    },
    ...{ files: operatorFiles, numbers: createNumbers(database), labels },
  });
  const [parcel] = sampleRequest().parcels;
  if (parcel === undefined) throw new Error('the sample has no parcel');
  const book = async (n: number) => {
    const reference = `${name}-${n}`;
    const parcels = [parcel, { ...parcel, id: '502' }, { ...parcel, id: '503' }];
    const { booking } = await account.book(sampleRequest({ reference, parcels }));
    for (const each of booking.parcels)
      if (each.kind === 'booked')
        writeSync(process.stdout.fd, `${reference} ${each.parcelId} ${each.trackingNumber}\n`);
  };
  for (let n = from; ; n += 2) {
    await Promise.all([book(n), book(n + 1)]);
    // Leaves the processor to the others, which start meanwhile.
    await pause(PAUSE_MS);
  }
}

const [, , url = '', name = '', from = '0'] = process.argv;
await main(url, name, Number(from));
