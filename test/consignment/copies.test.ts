import { afterEach, expect, it } from '@jest/globals';
import type { Area } from '../../src/areas/area.js';
import { write } from '../../src/consignment/steps/write.js';
import type { FrozenProfile } from '../../src/printing/profile.js';
import { type TestIms, startTestIms } from '../ims/ims-server.js';
import { consignment, effect, plan, bookingContext } from '../support/consignments.js';

let ims: TestIms;

afterEach(() => ims.close());

const PROFILE: Omit<FrozenProfile, 'copies' | 'calls'> = {
  profile: 'thermal',
  target: { format: 'pdf', widthMm: null, heightMm: null, dpi: 203, sheet: null, perSheet: 1 },
  template: null,
};

/** What each request to print of a booking says, by a template that has a place for the number of copies. */
async function copiesAskedFor(print: Pick<FrozenProfile, 'copies' | 'calls'>): Promise<readonly unknown[]> {
  ims = await startTestIms({ api: () => ({ status: 200, json: {} }) });
  const area = {
    ...{ contextId: '1', bookOn: 'transport-booking', giveUpAfterMs: 60_000, checksDangerousGoods: false },
    ...{ timeZone: 'Europe/Copenhagen', ims: ims.area('booking'), imsBackground: ims.area('background') },
    ...{ text: ({ key }: { readonly key: string }) => key, language: 'en', phrase: (key: string) => key },
  } satisfies Area;
  const context = {
    ...bookingContext({} as never, {}, ims.clock),
    areas: new Map([['1', area]]),
    printing: { mode: 'resource', template: { count: '{{copies}}' } },
  } as const;
  const planned = consignment({ plan: { ...plan([]), print: { ...PROFILE, ...print } } });
  const effects = Array.from({ length: print.calls }, (_none, index) => effect(`print:copy-${index}:1`));
  await write(context, planned, { effects, labels: [] });
  return ims.calls.map(({ body }) => (JSON.parse(body) as { readonly count?: unknown }).count);
}

it.each([
  ['one request for all copies names their number', { copies: 3, calls: 1 }, [3]],
  [
    'requests planned for one copy each stay that, where the template names their number by now',
    { copies: 3, calls: 3 },
    [1, 1, 1],
  ],
])('%s', async (_what, print, asked) => {
  expect(await copiesAskedFor(print)).toEqual(asked);
});
