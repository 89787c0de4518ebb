import type { CarrierAdapter } from '../../carriers/contract/adapter.js';
import type { BookingContext } from '../consignment/context.js';
import { deadLetters } from '../dead-letters/dead-letters.js';
import type { ServerDeps } from '../http/server.js';
import type { ImsClient } from '../ims/calls/client.js';
import { handoverQueries } from '../manifests/handover-queries.js';
import type { Messages } from '../messages/messages.js';
import type { CarrierSide } from '../dashboard/carriers/carrier-pages.js';
import { bulkRunner } from '../operator/bulk/bulk.js';
import { operatorActions } from '../operator/actions.js';
import { abilitiesOf } from '../operator/carriers/abilities.js';
import { carriersReader } from '../operator/carriers/history.js';
import { accountTester } from '../operator/carriers/test-account.js';
import { type ExplainedEvent, explainShipment } from '../operator/explain.js';
import { type LoadOpenBookings, openBookings } from '../operator/needs-a-person/bookings.js';
import { type CountNeedsPerson, needsPersonCounter } from '../operator/needs-a-person/count.js';
import { overviewReader } from '../operator/overview/overview.js';
import { pickupPointSearch } from '../operator/pickup-points.js';
import { operatorTexts } from '../operator/reason.js';
import { operatorQueries } from '../operator/operator-queries.js';
import { fieldNames } from '../operator/requests/field-names.js';
import { type ReadRules, rulesReader } from '../operator/rule-use.js';
import { type TryShipment, shipmentTrial } from '../operator/try-shipment.js';
import { returnLabels } from '../operator/returns/return-labels.js';
import { forgetting } from '../retention/forget.js';
import type { KeptDays } from '../retention/kept.js';
import { requestFieldsOf } from '../consignment/requests/request-fields.js';
import type { createAccountToProbe } from '../planning/account-to-probe.js';

export interface OperatorParts {
  readonly messages: Messages;
  readonly ims: Pick<ImsClient, 'usage'>;
  readonly wake: (ids: readonly string[]) => void;
  readonly accountToProbe: ReturnType<typeof createAccountToProbe>;
  readonly days: KeptDays;
  readonly adapters: readonly CarrierAdapter[];
}

type OfApi =
  | 'fieldNames'
  | 'actions'
  | 'bulk'
  | 'deadLetters'
  | 'queries'
  | 'overview'
  | 'handovers'
  | 'explaining'
  | 'pickupPoints'
  | 'returnLabels'
  | 'forget';

/** What the API and the pages show operators. */
export interface OperatorSide extends Pick<ServerDeps, OfApi> {
  readonly openBookings: LoadOpenBookings;
  readonly countNeedsPerson: CountNeedsPerson;
  readonly carriers: CarrierSide;
  readonly rules: ReadRules;
  readonly tryShipment: TryShipment;
}

/** What operators see and do, beside what belongs to tracking. */
export function operatorSide(context: BookingContext, parts: OperatorParts): OperatorSide {
  const { messages, ims, wake, accountToProbe, days, adapters } = parts;
  const textsIn = operatorTexts(messages, context.areas);
  const names = fieldNames(requestFieldsOf(adapters));
  const actions = operatorActions(context, wake);
  const explain = (area: string, shipmentId: string, event: ExplainedEvent) =>
    explainShipment(context, area, { shipmentId, event });
  return {
    actions,
    fieldNames: names,
    bulk: bulkRunner({ ...context, actions }),
    deadLetters: deadLetters(context),
    queries: operatorQueries(context.database, textsIn, names),
    overview: overviewReader({ ...context, textsIn, usage: ims.usage }),
    openBookings: openBookings({ ...context, textsIn }),
    countNeedsPerson: needsPersonCounter(context),
    carriers: carrierSide(context, accountToProbe),
    rules: rulesReader(context),
    tryShipment: shipmentTrial({ ...context, explain: (area, id) => explain(area, id, {}) }),
    handovers: handoverQueries(context.database),
    explaining: { areas: [...context.areas.keys()], explain },
    pickupPoints: pickupPointSearch({ ...context, withSettings: accountToProbe }),
    returnLabels: returnLabels(context),
    forget: forgetting({ ...context, days }),
  };
}

function carrierSide(context: BookingContext, withSettings: OperatorParts['accountToProbe']): CarrierSide {
  const testable = [...context.accounts.values()].filter(({ carrier }) => carrier.probe !== undefined);
  return {
    history: carriersReader(context),
    abilities: abilitiesOf(context.accounts),
    testable: new Set(testable.map(({ name }) => name)),
    test: accountTester({ ...context, withSettings }),
  };
}
