import { LinkRefused } from '../../carriers/contract/http-port.js';
import type { ReadConfig } from './config-file.js';
import type { ConfiguredAccount } from './sections/account.js';
import type { SettingProblem, Settings } from './environment.js';
import { createDryRun } from '../transport/dry-run.js';
import { requireReachable } from '../transport/post-link.js';
import { operatorFiles } from '../program-files.js';

/**
 * Accounts that a rule compares by their quotes, and that cannot give one. No reason not to start: the preferred
 * account is taken where no account makes a quote, and a shipment may name the account's carrier.
 */
export function quoteWarnings({ accounts, rules }: ReadConfig): readonly SettingProblem[] {
  const silent = accounts.filter((account) => !givesQuotes(account)).map(({ name }) => name);
  return rules.flatMap(({ use }, index) => {
    if ('account' in use) return [];
    const [way, named] = 'cheapest' in use ? ['cheapest', use.cheapest] : ['fastest', use.fastest];
    return named.flatMap((name, place) =>
      silent.includes(name)
        ? [
            {
              where: `rules[${index}].use.${way}[${place}]`,
              rule: `cannot give a quote: the account ${name} never wins a comparison`,
            },
          ]
        : [],
    );
  });
}

/** A carrier's abilities may depend on the account's settings, so only a connected account knows them. */
function givesQuotes({ adapter, config, baseUrl }: ConfiguredAccount): boolean {
  const clock = { now: () => new Date() };
  return (
    adapter.connect(config, { http: createDryRun().port, clock, baseUrl, files: operatorFiles }).quote !== undefined
  );
}

/** An address that no alert is sent to. No reason not to start: bookings do not need it. */
export function alertWarnings(
  { file: { alerts } }: ReadConfig,
  { ALLOW_PRIVATE_ADDRESSES: allowPrivate }: Pick<Settings, 'ALLOW_PRIVATE_ADDRESSES'>,
): readonly SettingProblem[] {
  try {
    if (alerts !== undefined) requireReachable(alerts.url, allowPrivate === 'true' ? 'allowed' : 'refused');
    return [];
  } catch (error) {
    if (!(error instanceof LinkRefused)) throw error;
    const rule =
      'gets no alert: give a public https address without a password, or set ALLOW_PRIVATE_ADDRESSES for a trial';
    return [{ where: 'alerts.url', rule }];
  }
}
