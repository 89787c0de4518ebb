import {
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsNumber,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
  validateSync,
} from 'class-validator';
import type { JsonMembers } from '../store/json.js';

const TEN_YEARS_SECONDS = 315_360_000;
const TEN_MINUTES_MS = 600_000;
const HOUR_MS = 3_600_000;
const MAX_ATTEMPTS = 10_000;
const MAX_REQUESTS = 1_000_000_000;

/** Switches for behaviour that is unknown or varies in the real service, or that can fail there. */
export class Switches {
  @IsInt()
  @Min(0)
  @Max(TEN_YEARS_SECONDS)
  readonly tokenLifetimeSeconds: number = 3600;

  /**
   * The sandbox revokes a token this many seconds after it issued it, even when `expires_in` promises more; `null`:
   * never.
   */
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(TEN_YEARS_SECONDS)
  readonly tokensRevokedAfterSeconds: number | null = null;

  @IsBoolean()
  readonly omitExpiresIn: boolean = false;

  /** The value of `token_type` in token responses. */
  @IsString()
  @Matches(/^[\w!#$%&'*+.^`|~-]+$/, { message: '$property must be one word' })
  readonly tokenType: string = 'Bearer';

  @IsIn(['jwt', 'opaque'])
  readonly tokenFormat: 'jwt' | 'opaque' = 'jwt';

  /**
   * The endpoint for messages of events admits only the scope `api/consigment`, misspelled as in the interface's
   * description.
   */
  @IsBoolean()
  readonly strictScopeSpelling: boolean = false;

  /**
   * How responses write a field without a value: not at all (`omitted`), as null (`explicit`), or either at random
   * (`mixed`).
   */
  @IsIn(['omitted', 'explicit', 'mixed'])
  readonly nulls: 'omitted' | 'explicit' | 'mixed' = 'explicit';

  /** Every row in a response has an additional, undescribed field. */
  @IsBoolean()
  readonly unknownFields: boolean = true;

  /** The sandbox treats paths that clients use, but the interface's description lacks, as unknown. */
  @IsBoolean()
  readonly onlyDescribedPaths: boolean = false;

  /** `GET /shipments` answers 302 with the same URL and one more query parameter; that URL gives the list. */
  @IsBoolean()
  readonly redirectShipmentLists: boolean = false;

  /** Responses list the containers of a shipment in reverse order. */
  @IsBoolean()
  readonly shuffleContainers: boolean = false;

  /**
   * What a change of a `dataDocument` does to members of nested objects that it does not mention: keeps (`deep`) or
   * removes (`shallow`) them.
   */
  @IsIn(['deep', 'shallow'])
  readonly dataDocumentMerge: 'deep' | 'shallow' = 'deep';

  /**
   * More pieces can be packed than are in stock: the sandbox draws those in stock, and sends no stock event when there
   * are none.
   */
  @IsBoolean()
  readonly packBeyondStock: boolean = true;

  /**
   * Which stock events of a changed or cancelled order carry the order's `sellerId`. `caller`: only those of a change
   * by a client with `api/sales` and without `api/full`. `order`: all of them.
   */
  @IsIn(['caller', 'order'])
  readonly sellerOfChanges: 'caller' | 'order' = 'caller';

  /** Counting a lot sends no events about the stock that it changes. */
  @IsBoolean()
  readonly silentCounts: boolean = false;

  /** Attaching a file sends the event `fileAttached`. */
  @IsBoolean()
  readonly fileAttachedEvents: boolean = true;

  /** The number that `firstRow` gives the first row. */
  @IsIn([0, 1])
  readonly firstRowOrigin: 0 | 1 = 0;

  @IsBoolean()
  readonly refuseChangesOfCancelledDocument: boolean = true;

  @IsBoolean()
  readonly refuseChangesOfDoneDocument: boolean = true;

  @IsBoolean()
  readonly refuseOngoingTwice: boolean = true;

  @IsBoolean()
  readonly sendEventsTwice: boolean = false;

  /** `shuffled`: up to three later events of the area may overtake an event. */
  @IsIn(['in-order', 'shuffled'])
  readonly eventOrder: 'in-order' | 'shuffled' = 'in-order';

  /** Delay before the first attempt to deliver an event, in milliseconds. */
  @IsInt()
  @Min(0)
  @Max(TEN_MINUTES_MS)
  readonly eventDelayMs: number = 0;

  /**
   * `true`: later events of the area wait until an event is delivered or given up. `false`: they wait only for its
   * first attempt.
   */
  @IsBoolean()
  readonly headOfLineBlocking: boolean = true;

  /** Fields that the sandbox leaves out of every event's detail, e.g. `userId`, `carrierName`. */
  @IsArray()
  @IsString({ each: true })
  @IsNotEmpty({ each: true })
  readonly dropEventFields: readonly string[] = [];

  /**
   * The body of an event: the whole `envelope`, its `detail` alone, or (`flat`) only the fields in `flatEventFields`.
   */
  @IsIn(['envelope', 'detail', 'flat'])
  readonly eventShape: 'envelope' | 'detail' | 'flat' = 'envelope';

  @IsArray()
  @IsString({ each: true })
  @IsNotEmpty({ each: true })
  readonly flatEventFields: readonly string[] = ['eventId', 'contextId', 'documentId', 'shipmentId'];

  @IsInt()
  @Min(1)
  @Max(MAX_ATTEMPTS)
  readonly eventTries: number = 30;

  /** Backoff before the second attempt, in milliseconds; it doubles with each attempt, up to `eventRetryLongestMs`. */
  @IsInt()
  @Min(0)
  @Max(TEN_MINUTES_MS)
  readonly eventRetryFirstMs: number = 200;

  @IsInt()
  @Min(0)
  @Max(TEN_MINUTES_MS)
  readonly eventRetryLongestMs: number = 5_000;

  /** Requests that each area key may make in any sliding second; `null`: no limit. */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_REQUESTS)
  readonly requestsPerSecond: number | null = 50;

  /** Requests that each area key may make in a calendar day (UTC); `null`: no limit. */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_REQUESTS)
  readonly requestsPerDay: number | null = 100_000;

  /** Booked parcels travel, and the simulated carrier sends callbacks about them. */
  @IsBoolean()
  readonly parcelsTravel: boolean = false;

  /** Real time that one hour of a parcel's journey takes, in milliseconds. */
  @IsInt()
  @Min(1)
  @Max(HOUR_MS)
  readonly parcelHourMs: number = 1_000;

  /** The share of callbacks, from 0 to 1, that come twice, too late, or after a forged one. */
  @IsNumber()
  @Min(0)
  @Max(1)
  readonly callbackTrouble: number = 0;
}

/** The delay after a failed attempt to send an event or a callback. @param attempts how many were made */
export function retryDelayMs({ eventRetryFirstMs, eventRetryLongestMs }: Switches, attempts: number): number {
  return Math.min(eventRetryFirstMs * 2 ** (attempts - 1), eventRetryLongestMs);
}

export interface SwitchProblem {
  readonly name: string;
  readonly issue: string;
}

/**
 * Applies changes to a copy of the switches.
 * @throws Error naming every unknown switch and every invalid value
 */
export function changeSwitches(current: Switches, changes: Partial<Switches> | JsonMembers): Switches {
  const { changed, problems } = tryChange(current, changes);
  if (problems.length > 0) throw new Error(`switches: ${problems.map(({ issue }) => issue).join('; ')}`);
  return changed;
}

/** The unknown switches and invalid values among the changes. */
export function switchProblems(changes: JsonMembers): readonly SwitchProblem[] {
  return tryChange(new Switches(), changes).problems;
}

function tryChange(current: Switches, changes: Partial<Switches> | JsonMembers) {
  const names = Object.keys(changes);
  const unknown = names.filter((name) => !Object.hasOwn(current, name));
  const known = Object.fromEntries(Object.entries(changes).filter(([name]) => !unknown.includes(name)));
  const changed = Object.assign(new Switches(), current, known);
  const wrong = validateSync(changed).flatMap(({ property, constraints = {} }) =>
    Object.values(constraints).map((issue): SwitchProblem => ({ name: property, issue })),
  );
  const others = unknown.map((name): SwitchProblem => ({ name, issue: `${name} is not known` }));
  const place = ({ name }: SwitchProblem) => names.indexOf(name);
  return { changed, problems: [...others, ...wrong].sort((one, other) => place(one) - place(other)) };
}
