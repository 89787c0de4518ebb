import { asJsonb } from '../../db/json.js';
import { Personal, type Seal } from '../../db/sealing/personal.js';
import { effectsColumn, messagesColumn, partsColumn, sealedMessage } from './sealed-columns.js';
import {
  type ChosenCarrier,
  type Consignment,
  type WaitingFor,
  chosenCarrier,
  lastCarriersNumber,
} from '../consignment.js';
import { type ConsignmentState, type EndState, type Stored, fromStoredState, toStoredState } from '../states.js';

/** The row as the database gives it. */
export interface ConsignmentRow {
  readonly id: string;
  readonly area: string;
  readonly booked_on: Consignment['bookedOn'];
  readonly document_id: string | null;
  readonly shipment_id: string | null;
  readonly shipment_number: string | null;
  readonly carrier_name: string | null;
  readonly event_id: string;
  readonly user_id: string | number | null;
  readonly device_name: string | null;
  readonly state: Stored<ConsignmentState>;
  readonly version: number;
  readonly reference: string | null;
  readonly carrier_number: string | null;
  readonly plan: PlanColumn | null;
  readonly parts: Consignment['parts'];
  readonly effects: Consignment['effects'];
  readonly problems: Consignment['shortfalls'];
  readonly waits_for_person: boolean;
  readonly cancel_wanted: Consignment['cancelRequest'];
  readonly tries: number;
  readonly run: number;
  readonly run_started_at: Date;
  readonly due_at: Date | null;
  readonly lease_until: Date | null;
  readonly handed_over_at: Date | null;
  readonly handed_over_by: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** The plan, with values that only `advance` reads. */
interface PlanColumn {
  readonly plan: Consignment['plan'];
  readonly outcome: Stored<EndState> | null;
  readonly claimed: boolean;
  readonly compensating: boolean;
  /** `possiblyBooked`, under the name that rows have had since the first version. */
  readonly begunElsewhere?: boolean;
  /** `parkedUntil`, under the name that rows have had since the first version; ISO 8601; the sweeper's search reads it. */
  readonly heldUntil?: string;
  readonly waitingFor?: WaitingFor;
  /** Beside `waitingFor: carrier`, which earlier versions know: it waits for its account. */
  readonly waitsForAccount?: boolean;
  /** ISO 8601. */
  readonly areaMissingSince?: string;
  /** The chosen carrier, where there is no plan; missing: none was chosen. */
  readonly chosen?: ChosenCarrier;
}

/** The plan column of a document that another program, or we before our records were lost, has set to ON_GOING. */
export function planOfPossiblyBooked(): PlanColumn {
  return { plan: null, outcome: null, claimed: true, compensating: false, begunElsewhere: true };
}

/** The columns that a step may change: the others stay as they were when the row was read. */
const STEP_COLUMNS = [
  ...(['shipment_id', 'shipment_number', 'state', 'version', 'reference', 'plan', 'parts', 'effects'] as const),
  ...(['problems', 'waits_for_person', 'cancel_wanted', 'tries', 'run', 'run_started_at', 'due_at'] as const),
  'lease_until',
] as const;
export const SQL_STEP_COLUMNS = STEP_COLUMNS.join(', ');
export type StepColumns = Pick<ConsignmentRow, (typeof STEP_COLUMNS)[number]>;

export function toConsignment(row: ConsignmentRow): Consignment {
  return {
    id: row.id,
    area: row.area,
    bookedOn: row.booked_on,
    documentId: row.document_id,
    eventCarrierName: row.carrier_name,
    addressee: { eventId: row.event_id, userId: row.user_id, deviceName: row.device_name },
    createdAt: row.created_at,
    ...fromStepColumns(row),
  };
}

/** The consignment as a step has stored it. The server describes each column with every answer, so only these are read. */
export function afterStep(before: Consignment, row: StepColumns): Consignment {
  const { id, area, bookedOn, documentId, eventCarrierName, addressee, createdAt } = before;
  return { id, area, bookedOn, documentId, eventCarrierName, addressee, createdAt, ...fromStepColumns(row) };
}

function fromStepColumns(row: StepColumns) {
  return {
    shipmentId: row.shipment_id,
    shipmentNumber: row.shipment_number,
    state: fromStoredState(row.state),
    version: row.version,
    reference: row.reference,
    parts: row.parts,
    effects: row.effects,
    shortfalls: row.problems,
    ...fromPlan(row.plan),
    needsOperator: row.waits_for_person,
    cancelRequest: row.cancel_wanted,
    attempts: row.tries,
    run: row.run,
    runStartedAt: row.run_started_at,
    dueAt: row.due_at,
    leaseUntil: row.lease_until,
  };
}

function fromPlan(column: PlanColumn | null) {
  const { plan = null, outcome = null, claimed = false, compensating = false } = column ?? {};
  const doubt = column?.begunElsewhere === true ? { possiblyBooked: true } : {};
  const ending = outcome === null ? null : fromStoredState(outcome);
  return { plan, outcome: ending, claimed, compensating, ...waitOf(column), ...doubt, ...choiceIn(column) };
}

function choiceIn(column: PlanColumn | null): Pick<Consignment, 'chosen'> {
  return column?.chosen === undefined ? {} : { chosen: column.chosen };
}

type Waits = Pick<Consignment, 'parkedUntil' | 'areaMissingSince' | 'waitingFor'>;

function waitOf(column: PlanColumn | null): Waits {
  const parkedUntil = dateIn(column?.heldUntil);
  const areaMissingSince = dateIn(column?.areaMissingSince);
  const waitingFor = column?.waitsForAccount === true ? 'account' : (column?.waitingFor ?? null);
  return { parkedUntil, areaMissingSince, waitingFor };
}

function dateIn(text: string | undefined): Date | null {
  return text === undefined ? null : new Date(text);
}

/** What a step may change, by the name that its statement has for it. */
export function rowValues(consignment: Consignment) {
  const carrier = chosenCarrier(consignment);
  return {
    shipmentId: consignment.shipmentId,
    shipmentNumber: consignment.shipmentNumber,
    state: toStoredState(consignment.state),
    account: carrier?.account ?? null,
    carrier: carrier?.carrierId ?? null,
    reference: consignment.reference,
    carrierNumber: lastCarriersNumber(consignment),
    plan: new Personal((seal) => asJsonb(planColumn(consignment, seal))),
    parts: partsColumn(consignment.parts),
    effects: effectsColumn(consignment.effects),
    problems: messagesColumn(consignment.shortfalls),
    needsOperator: consignment.needsOperator,
    attempts: consignment.attempts,
    run: consignment.run,
    runStartedAt: consignment.runStartedAt,
    dueAt: consignment.dueAt,
  };
}

function planColumn(consignment: Consignment, seal: Seal): object {
  const { plan, claimed, compensating } = consignment;
  const outcome = consignment.outcome === null ? null : toStoredState(consignment.outcome);
  const doubt = consignment.possiblyBooked === true ? { begunElsewhere: true } : {};
  // A plan names its carrier itself.
  const chosen = plan === null && consignment.chosen !== undefined ? { chosen: consignment.chosen } : {};
  const warnings = plan?.warnings?.map((warning) => sealedMessage(warning, seal));
  const stored = warnings === undefined ? plan : { ...plan, warnings };
  return { plan: stored, outcome, claimed, compensating, ...doubt, ...waitColumn(consignment), ...chosen };
}

function waitColumn({ parkedUntil, areaMissingSince, waitingFor }: Waits): Partial<PlanColumn> {
  return {
    ...(parkedUntil && { heldUntil: parkedUntil.toISOString() }),
    ...(areaMissingSince && { areaMissingSince: areaMissingSince.toISOString() }),
    ...(waitingFor === 'account' ? { waitingFor: 'carrier', waitsForAccount: true } : waitingFor && { waitingFor }),
  };
}
