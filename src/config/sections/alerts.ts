import { IsIn, IsOptional, IsString, Matches } from 'class-validator';
import { type SettingProblem, mayCarryCredentials } from '../environment.js';

/** What waits for a person. */
const ALERT_KINDS = [
  ...(['bookings-in-doubt', 'bookings-refused', 'handovers-failed', 'messages-given-up', 'webhooks-given-up'] as const),
  ...(['callbacks-not-applied', 'tasks-given-up', 'return-labels-in-doubt'] as const),
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** Where alerts for those who run Waybridge go. */
export class AlertsConfig {
  @IsString({ message: 'must be the https address that takes alerts' })
  url: string;

  /** Signs alerts by Standard Webhooks. */
  @Matches(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, {
    message: 'must be whsec_ and at least 32 characters of base64, e.g. whsec_$(openssl rand -base64 32)',
  })
  secret: string;

  /** Those that are told; missing: all. */
  @IsOptional()
  @IsIn(ALERT_KINDS, { each: true, message: `must be a list of ${ALERT_KINDS.join(', ')}` })
  kinds?: readonly AlertKind[];
}

export function alertsProblems(alerts: unknown, allowPrivate: 'true' | 'false'): readonly SettingProblem[] {
  const url = alerts instanceof AlertsConfig ? (alerts.url as unknown) : undefined;
  if (typeof url !== 'string' || mayCarryCredentials(url, allowPrivate)) return [];
  return [{ where: 'alerts.url', rule: 'must be an https address' }];
}

/** The path of a chat's address is its key; it counts with its host, since a path alone may be a usual word. */
export function alertSecrets(alerts: AlertsConfig | undefined): readonly string[] {
  if (alerts === undefined) return [];
  const { host, pathname, search } = new URL(alerts.url);
  const path = pathname === '/' ? [] : [`${host}${pathname}`];
  return [alerts.secret, ...path, ...(search === '' ? [] : [search])];
}
