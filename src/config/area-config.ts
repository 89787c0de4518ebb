import { Transform, Type } from 'class-transformer';
import { IsBoolean, IsIn, IsInt, IsNotEmpty, IsString, Max, Min, ValidateBy, ValidateNested } from 'class-validator';
import { DEFAULT_TIME_ZONE, isTimeZone } from '../routing/facts/local-time.js';
import { toText } from '../../carriers/toolkit/settings.js';

const MAX_GIVE_UP_MINUTES = 24 * 60;

class TrackingConfig {
  /** Whether workers get an INFO message for each delivered parcel. */
  @IsBoolean({ message: 'must be true or false' })
  tellDelivered: boolean = false;

  /** Whether the newest status of each parcel is written to the shipment's `dataDocument`. */
  @IsBoolean({ message: 'must be true or false' })
  keepStatus: boolean = false;
}

export class AreaConfig {
  @Transform(toText)
  @IsString({ message: 'must be the contextId of the area, e.g. 550' })
  @IsNotEmpty({ message: 'must be the contextId of the area, e.g. 550' })
  contextId: string;

  @Transform(toText)
  @IsString({ message: 'must be the x-api-key of the area, e.g. ${IMS_API_KEY_550}' })
  @IsNotEmpty({ message: 'must be the x-api-key of the area, e.g. ${IMS_API_KEY_550}' })
  apiKey: string;

  @IsIn(['en', 'da'], { message: 'must be en or da' })
  language: 'en' | 'da' = 'en';

  @IsIn(['transport-booking', 'delivery-note'], { message: 'must be transport-booking or delivery-note' })
  bookOn: 'transport-booking' | 'delivery-note' = 'transport-booking';

  /** How long a worker may wait for a carrier before the booking is given up. */
  @IsInt({ message: 'must be a whole number of minutes, e.g. 30' })
  @Min(1, { message: 'must be at least 1' })
  @Max(MAX_GIVE_UP_MINUTES, { message: `must be at most ${MAX_GIVE_UP_MINUTES}` })
  giveUpAfterMinutes: number = 30;

  /** The time zone in which rules read `weekday` and `hour`. */
  @ValidateBy({
    name: 'isTimeZone',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && isTimeZone(value),
      defaultMessage: () => 'must be an IANA time zone, e.g. Europe/Copenhagen',
    },
  })
  timeZone: string = DEFAULT_TIME_ZONE;

  /** `check` costs a request a booking. */
  @IsIn(['check', 'trust'], { message: 'must be check or trust' })
  dangerousGoods: 'check' | 'trust' = 'trust';

  @Transform(({ value }: { value: unknown }) => value ?? new TrackingConfig())
  @ValidateNested()
  @Type(() => TrackingConfig)
  tracking: TrackingConfig = new TrackingConfig();
}
