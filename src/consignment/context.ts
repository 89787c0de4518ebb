import type { Clock } from '../../carriers/contract/adapter.js';
import type { Account } from '../accounts/account.js';
import type { Area } from '../areas/area.js';
import type { Database } from '../db/database.js';
import type { AssemblyAhead } from '../labels/assemble-ahead.js';
import type { Assembler } from '../labels/assembler.js';
import type { Log } from '../log.js';
import type { CustomsPaper } from '../papers/customs/customs-paper.js';
import type { ErrorSheet } from '../papers/error-sheet.js';
import type { CompiledProfiles } from '../printing/choose-profile.js';
import type { Printing } from '../printing/print-body.js';
import type { CompiledRules } from '../routing/choose-carrier.js';
import type { HeldLeases } from '../worker/held-leases.js';
import type { ClaimedRows } from './claimed-rows.js';
import type { RequestRecording } from './requests/request-recording.js';
import type { ReturnsBeside } from './return-beside.js';
import type { ReservedReferences } from './reserved-references.js';
import type { UnwrittenAnswers } from './unwritten-answers.js';

/** Opens connections that a booking will need, beside the work that comes before its requests. */
export interface ConnectionsOfBookings {
  /** An event of this area has arrived for which work will follow. */
  event(area: string): void;
  /** A booking at this account is about to be sent. */
  booking(area: string, planned: { readonly account: string; readonly containers: number }): void;
}

/** Takes the measures of bookings; records and returns at once. */
export interface BookingMeasures {
  /** @param tookMs with the requests of the step */
  step(step: string, tookMs: number): void;
  ended(booking: EndedBooking): void;
}

/** A booking that came to rest. */
export interface EndedBooking {
  readonly area: string;
  /** `null`: none was chosen. */
  readonly carrier: string | null;
  readonly account: string | null;
  /** The state, or `needs-operator`. */
  readonly outcome: string;
  /** Since the event, or since the retry. */
  readonly tookMs: number;
}

/** What the steps of a consignment use; put together once, in `src/app/app.ts`. */
export interface BookingContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  /** When this process read the configuration that `areas`, `accounts` and `rules` come from. */
  readonly configuredAt: Date;
  readonly areas: ReadonlyMap<string, Area>;
  readonly accounts: ReadonlyMap<string, Account>;
  readonly rules: CompiledRules;
  readonly printing: Printing;
  /** Missing: there are none, and labels are printed as they came. */
  readonly profiles?: CompiledProfiles;
  readonly assemble: Assembler['assemble'];
  /** Begins with the file of labels that came with a booking, while that is stored. */
  readonly beginAssembly: AssemblyAhead['begin'];
  /** Draws a paper for customs. */
  readonly drawPaper: (paper: CustomsPaper) => Promise<Uint8Array>;
  /** Draws a page of a label file, from 1, as PNG. */
  readonly drawPage: Assembler['drawPage'];
  /** Missing: no error sheets are printed. */
  readonly drawErrorSheet?: (sheet: ErrorSheet) => Promise<Uint8Array>;
  /** A signed address of a consignment's label file. */
  readonly labelLink: (consignmentId: string) => string;
  /** Replaces our secrets in a text. */
  readonly mask: (text: string) => string;
  /** The owner of this process's leases, and their length. */
  readonly lease: { readonly owner: string; readonly lengthMs: number; readonly held: HeldLeases };
  readonly claimed: ClaimedRows;
  readonly reserved: ReservedReferences;
  readonly unwritten: UnwrittenAnswers;
  readonly ahead: ConnectionsOfBookings;
  /** Missing: no return labels are made beside bookings. */
  readonly returnsBeside?: ReturnsBeside;
  /** Missing: nothing is measured. */
  readonly measures?: BookingMeasures;
  /** Missing: no requests are kept. */
  readonly requests?: RequestRecording;
}
