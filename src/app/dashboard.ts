import { type AuditDeps, createAudit } from '../access/audit.js';
import { defaultOperator } from '../access/operators.js';
import { createOpenId } from '../access/openid.js';
import { createSessions } from '../access/sessions.js';
import type { ReadConfig } from '../config/config-file.js';
import { type Settings, publicUrl } from '../config/environment.js';
import { openIdSettings } from '../config/openid.js';
import type { BookingContext } from '../consignment/context.js';
import type { OperatorAccess } from '../http/operator-access.js';
import type { ServerDeps } from '../http/server.js';
import { atFirstRequest, imported } from './at-first-request.js';
import type { OperatorSide } from './operator-side.js';

/** The operators of the settings and of `OPERATORS_FILE`, and the audit log. */
export function operatorAccess(settings: Settings, { operators }: ReadConfig, deps: AuditDeps): OperatorAccess {
  return { operators: [defaultOperator(settings.OPERATOR_TOKEN), ...operators], audit: createAudit(deps) };
}

/** The pages for operators, once the server has its budget for bodies. Their code is loaded at the first request to them. */
export function dashboardOf(
  { database, clock, areas }: BookingContext,
  settings: Settings,
  { access, inbox, parcels, ...operators }: Pick<ServerDeps, 'access' | 'inbox' | 'parcels'> & OperatorSide,
): ServerDeps['dashboard'] {
  const configured = openIdSettings(settings);
  const openId = configured === null ? null : createOpenId(configured);
  const { operators: withTokens } = access;
  const sessions = createSessions({ database, clock, operators: withTokens, provider: openId?.print ?? null });
  const shown = [...areas.values()].map(({ contextId, timeZone }) => ({ contextId, timeZone }));
  const { handovers, deadLetters } = operators;
  const incoming = { inbox: { ...inbox, parcels, handovers, deadLetters } };
  const deps = {
    access,
    sessions,
    openId,
    ...operators,
    ...incoming,
    areas: shown,
    publicUrl: publicUrl(settings),
    clock,
  };
  return (budget) =>
    atFirstRequest(async () => {
      const { dashboardRoutes } = await imported(() => import('../dashboard/dashboard.js'));
      return dashboardRoutes(deps, budget);
    });
}
