import { Transform } from 'class-transformer';
import { IsNotEmpty, IsString, MaxLength } from 'class-validator';

/** Each of the four is a text of at most so many characters at GLS. */
const LONGEST = 20;

/** YAML reads an unquoted `9990000001` as a number; GLS wants text. */
const toText = ({ value }: { value: unknown }): unknown => (typeof value === 'number' ? String(value) : value);

/** What GLS Denmark gives a customer for its web service. */
export class GlsDkConfig {
  @Transform(toText)
  @IsString({ message: 'must be the user name from GLS' })
  @IsNotEmpty({ message: 'must be the user name from GLS' })
  @MaxLength(LONGEST, { message: `must be at most ${LONGEST} characters` })
  userName: string;

  @Transform(toText)
  @IsString({ message: 'must be the password from GLS' })
  @IsNotEmpty({ message: 'must be the password from GLS' })
  @MaxLength(LONGEST, { message: `must be at most ${LONGEST} characters` })
  password: string;

  @Transform(toText)
  @IsString({ message: 'must be the customer id from GLS, e.g. "9990000001"' })
  @IsNotEmpty({ message: 'must be the customer id from GLS, e.g. "9990000001"' })
  @MaxLength(LONGEST, { message: `must be at most ${LONGEST} characters` })
  customerId: string;

  /** Decides from which contact at GLS the parcels are sent. */
  @Transform(toText)
  @IsString({ message: 'must be the contact id from GLS, e.g. "208x999Test"' })
  @IsNotEmpty({ message: 'must be the contact id from GLS, e.g. "208x999Test"' })
  @MaxLength(LONGEST, { message: `must be at most ${LONGEST} characters` })
  contactId: string;
}
