import { IsArray, IsBoolean, IsIn, IsInt, IsOptional, IsString, Min, validateSync } from 'class-validator';
import type { JsonObject } from './json.js';

/** How the stand-in behaves where the real service's behaviour is unknown, varies, or can go wrong. */
export class Switches {
  @IsInt()
  @Min(0)
  readonly tokenLifetimeSeconds: number = 3600;

  @IsBoolean()
  readonly omitExpiresIn: boolean = false;

  /** As written in `token_type`. */
  @IsString()
  readonly tokenType: string = 'Bearer';

  @IsIn(['jwt', 'opaque'])
  readonly tokenFormat: 'jwt' | 'opaque' = 'jwt';

  /** Messages of events are admitted with `api/consigment` only, as that scope is spelled in the interface's description. */
  @IsBoolean()
  readonly strictScopeSpelling: boolean = false;

  @IsIn(['omitted', 'explicit'])
  readonly nulls: 'omitted' | 'explicit' = 'omitted';

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

  /** Fields left out of every event's detail, e.g. `userId`, `carrierName`. */
  @IsArray()
  @IsString({ each: true })
  readonly dropEventFields: readonly string[] = [];

  /** `detail` is the envelope's detail alone; `flat` only the fields of `flatEventFields`. */
  @IsIn(['envelope', 'detail', 'flat'])
  readonly eventShape: 'envelope' | 'detail' | 'flat' = 'envelope';

  @IsArray()
  @IsString({ each: true })
  readonly flatEventFields: readonly string[] = ['eventId', 'contextId', 'documentId', 'shipmentId'];

  @IsInt()
  @Min(1)
  readonly eventTries: number = 30;

  /** Doubles from try to try. */
  @IsInt()
  @Min(0)
  readonly eventRetryFirstMs: number = 200;

  @IsInt()
  @Min(0)
  readonly eventRetryLongestMs: number = 5_000;

  /** In any sliding second, for each area key; `null`: no limit. */
  @IsOptional()
  @IsInt()
  readonly requestsPerSecond: number | null = 50;

  /** In each calendar day (UTC), for each area key; `null`: no limit. */
  @IsOptional()
  @IsInt()
  readonly requestsPerDay: number | null = 100_000;
}

/**
 * The switches with some of them changed.
 * @throws Error naming every switch that is not known or cannot have that value
 */
export function changeSwitches(current: Switches, changes: Partial<Switches> | JsonObject): Switches {
  const changed = Object.assign(new Switches(), current, changes);
  const wrong = validateSync(changed, { whitelist: true, forbidNonWhitelisted: true });
  const complaints = wrong.flatMap((problem) => Object.values(problem.constraints ?? {}));
  if (complaints.length > 0) throw new Error(`switches: ${complaints.join('; ')}`);
  return changed;
}
