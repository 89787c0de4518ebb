import { Transform } from 'class-transformer';
import { IsBoolean, IsNotEmpty, IsOptional, IsString, IsUrl } from 'class-validator';

/** "true" and "false" as text come from environment variables; every other text stays what it is and is refused. */
const FLAGS: Readonly<Record<string, boolean>> = { true: true, false: false };

export class BringConfig {
  /** Of the Mybring user. */
  @IsString()
  @IsNotEmpty()
  readonly apiKey: string;

  /** The e-mail address of the Mybring user, who needs the booking right on the customer number. */
  @IsString()
  @IsNotEmpty()
  readonly apiUid: string;

  /** The main customer number; a number without quotes is taken too. */
  @Transform(({ value }: { value: unknown }) => (typeof value === 'number' ? String(value) : value))
  @IsString()
  @IsNotEmpty()
  readonly customerNumber: string;

  /** `true`: bookings are not real and cost nothing. */
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? (FLAGS[value] ?? value) : value))
  @IsBoolean()
  readonly testIndicator: boolean = false;

  /** Names the calling system to Bring; best the address of the web shop or of the warehouse's company. */
  @IsOptional()
  @IsUrl({ protocols: ['https', 'http'], require_protocol: true })
  readonly clientUrl?: string;
}
