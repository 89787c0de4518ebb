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
import type { JsonObject } from '../store/json.js';

const TEN_YEARS_SECONDS = 315_360_000;
const TEN_MINUTES_MS = 600_000;
const HOUR_MS = 3_600_000;
const MAX_TRIES = 10_000;
const MAX_REQUESTS = 1_000_000_000;

/** How the stand-in behaves where the real service's behaviour is unknown, varies, or can go wrong. */
export class Switches {
  @IsInt()
  @Min(0)
  @Max(TEN_YEARS_SECONDS)
  readonly tokenLifetimeSeconds: number = 3600;

  /** So long after it was given a token is refused, although it says that it expires later; `null`: never. */
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(TEN_YEARS_SECONDS)
  readonly tokensRevokedAfterSeconds: number | null = null;

  @IsBoolean()
  readonly omitExpiresIn: boolean = false;

  /** As written in `token_type`. */
  @IsString()
  @Matches(/^[\w!#$%&'*+.^`|~-]+$/, { message: '$property must be one word' })
  readonly tokenType: string = 'Bearer';

  @IsIn(['jwt', 'opaque'])
  readonly tokenFormat: 'jwt' | 'opaque' = 'jwt';

  /** Messages of events are admitted with `api/consigment` only, as that scope is spelled in the interface's description. */
  @IsBoolean()
  readonly strictScopeSpelling: boolean = false;

  /** How a field without a value is answered: as null, not at all, or (`mixed`) one or the other by chance. */
  @IsIn(['omitted', 'explicit', 'mixed'])
  readonly nulls: 'omitted' | 'explicit' | 'mixed' = 'explicit';

  /** Every answer has a field that is not described anywhere. */
  @IsBoolean()
  readonly unknownFields: boolean = true;

  /** What only other sources than the interface's description tell of is answered as if it were not there. */
  @IsBoolean()
  readonly onlyDescribedPaths: boolean = false;

  /** `GET /shipments` is answered 302 to the same address with one more query member, which then answers. */
  @IsBoolean()
  readonly redirectShipmentLists: boolean = false;

  /** A shipment's containers come in another order each time. */
  @IsBoolean()
  readonly shuffleContainers: boolean = false;

  /** What members of an object within a `dataDocument` become that a change does not mention: kept or removed. */
  @IsIn(['deep', 'shallow'])
  readonly dataDocumentMerge: 'deep' | 'shallow' = 'deep';

  /** Pieces that are not in stock can be packed: only those that are there are drawn, and without any there is no event. */
  @IsBoolean()
  readonly packBeyondStock: boolean = true;

  /**
   * Whose `sellerId` the stock events of a changed or cancelled order bear: `caller`: the order's, where a client with
   * `api/sales` and without `api/full` changed it, else nobody's; `order`: always the order's.
   */
  @IsIn(['caller', 'order'])
  readonly sellerOfChanges: 'caller' | 'order' = 'caller';

  /** Counting a lot tells nobody of the stock that changed. */
  @IsBoolean()
  readonly silentCounts: boolean = false;

  /** Attaching a file sends the event `fileAttached`. */
  @IsBoolean()
  readonly fileAttachedEvents: boolean = true;

  /** Number of the first row, for `firstRow`. */
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

  /** `shuffled`: an event may be overtaken by up to three later ones of its area. */
  @IsIn(['in-order', 'shuffled'])
  readonly eventOrder: 'in-order' | 'shuffled' = 'in-order';

  /** Before the first try of each event. */
  @IsInt()
  @Min(0)
  @Max(TEN_MINUTES_MS)
  readonly eventDelayMs: number = 0;

  /** Later events of the area wait while one is tried again; otherwise only while it is tried for the first time. */
  @IsBoolean()
  readonly headOfLineBlocking: boolean = true;

  /** Fields left out of every event's detail, e.g. `userId`, `carrierName`. */
  @IsArray()
  @IsString({ each: true })
  @IsNotEmpty({ each: true })
  readonly dropEventFields: readonly string[] = [];

  /** `detail` is the envelope's detail alone; `flat` only the fields of `flatEventFields`. */
  @IsIn(['envelope', 'detail', 'flat'])
  readonly eventShape: 'envelope' | 'detail' | 'flat' = 'envelope';

  @IsArray()
  @IsString({ each: true })
  @IsNotEmpty({ each: true })
  readonly flatEventFields: readonly string[] = ['eventId', 'contextId', 'documentId', 'shipmentId'];

  @IsInt()
  @Min(1)
  @Max(MAX_TRIES)
  readonly eventTries: number = 30;

  /** Doubles from try to try. */
  @IsInt()
  @Min(0)
  @Max(TEN_MINUTES_MS)
  readonly eventRetryFirstMs: number = 200;

  @IsInt()
  @Min(0)
  @Max(TEN_MINUTES_MS)
  readonly eventRetryLongestMs: number = 5_000;

  /** In any sliding second, for each area key; `null`: no limit. */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_REQUESTS)
  readonly requestsPerSecond: number | null = 50;

  /** In each calendar day (UTC), for each area key; `null`: no limit. */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_REQUESTS)
  readonly requestsPerDay: number | null = 100_000;

  /** What is booked sets out, and its carrier tells what happens to it. */
  @IsBoolean()
  readonly parcelsTravel: boolean = false;

  /** How long an hour of a parcel's journey takes. */
  @IsInt()
  @Min(1)
  @Max(HOUR_MS)
  readonly parcelHourMs: number = 1_000;

  /** How many callbacks, from 0 to 1, come twice, too late, or behind a forged one. */
  @IsNumber()
  @Min(0)
  @Max(1)
  readonly callbackTrouble: number = 0;
}

export interface SwitchProblem {
  readonly name: string;
  readonly issue: string;
}

/**
 * The switches with some of them changed.
 * @throws Error naming every switch that is not known or cannot have that value
 */
export function changeSwitches(current: Switches, changes: Partial<Switches> | JsonObject): Switches {
  const { changed, problems } = tryChange(current, changes);
  if (problems.length > 0) throw new Error(`switches: ${problems.map(({ issue }) => issue).join('; ')}`);
  return changed;
}

/** Every member of it that is not a switch or not a value for one. */
export function switchProblems(changes: JsonObject): readonly SwitchProblem[] {
  return tryChange(new Switches(), changes).problems;
}

function tryChange(current: Switches, changes: Partial<Switches> | JsonObject) {
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
