import type { CarrierAdapter, HttpPort } from '../contract/index.js';
import { beforehandCases } from './cases/beforehand.js';
import { bookingCases } from './cases/booking.js';
import { failingCases } from './cases/failing.js';
import { labelCases } from './cases/labels.js';
import { cancelCases, closeOutCases, probeCases, quoteCases } from './cases/optional.js';
import { callbackCases } from './cases/callbacks.js';
import { feedCases, trackingCases } from './cases/tracking.js';
import { pickupPointCases } from './cases/pickup-points.js';
import { returnCases } from './cases/returns.js';
import { searchCases } from './cases/search.js';
import { withoutApiCases } from './cases/without-api.js';
import { settingsCases } from './cases/settings.js';
import { type ContractCase, type ContractOptions, type Suite, suiteOf } from './suite.js';

/**
 * What every carrier must do, against its simulator over real HTTP. Each case has a simulator of its own, so cases may run in
 * any order. Methods that the account does not have bring no cases.
 * @param http sends the adapter's requests; addresses of this machine must be allowed
 */
export function contractCasesOver<Settings extends object>(
  adapter: CarrierAdapter<Settings>,
  { http, ...options }: ContractOptions & { readonly http: HttpPort },
): readonly ContractCase[] {
  const suite = suiteOf(adapter as CarrierAdapter, http, options);
  const { able } = suite;
  return [
    ...settingsCases(suite),
    ...(adapter.traits.api === 'none' ? withoutApiCases(suite) : reachedCases(suite)),
    ...beforehandCases(suite),
    ...(able.quote ? quoteCases(suite) : []),
    ...(able.pickupPoints ? pickupPointCases(suite) : []),
    ...(able.probe ? probeCases(suite) : []),
    ...(able.findByReference ? searchCases(suite) : []),
    ...labelCases(suite),
    ...(able.returnLabel ? returnCases(suite) : []),
    ...(able.closeOut ? closeOutCases(suite) : []),
    ...trackedCases(suite),
    ...(adapter.parseCallback ? callbackCases(suite) : []),
  ];
}

function trackedCases(suite: Suite): readonly ContractCase[] {
  return [...(suite.able.track ? trackingCases(suite) : []), ...(suite.able.trackChanges ? feedCases(suite) : [])];
}

function reachedCases(suite: Suite): readonly ContractCase[] {
  return [...bookingCases(suite), ...failingCases(suite), ...(suite.able.cancel ? cancelCases(suite) : [])];
}
