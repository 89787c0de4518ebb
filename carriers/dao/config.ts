import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsNotEmpty, IsOptional, IsString, Validate, ValidatorConstraint } from 'class-validator';
import type { ValidatorConstraintInterface } from 'class-validator';
import { TRACKING_STATUSES } from '../contract/index.js';
import type { DaoCodes } from './tracking/codes.js';
import { NO_DEMAND } from './wire.js';

/** The papers of `HentLabel.php`, as its parameter `papir` spells them. */
export const PAPERS = ['100x150', 'A4Foldable', '150x100', '100x150l', '100x150p'] as const;

export type DaoPaper = (typeof PAPERS)[number];

/** What may stand in `faktura`. */
export const INVOICE_NUMBERS = ['reference', 'shipment-number'] as const;

/** YAML reads an unquoted `9999` as a number; DAO's query wants text. */
const toText = ({ value }: { value: unknown }): unknown => (typeof value === 'number' ? String(value) : value);

const FLAGS = new Map<unknown, boolean>([
  ['true', true],
  ['1', true],
  [1, true],
  ['false', false],
  ['0', false],
  [0, false],
]);

/** A value from the environment is always a text; anything that is no flag is left for the validation to refuse. */
const toFlag = ({ value }: { value: unknown }): unknown => FLAGS.get(value) ?? value;

/** Statuses of ours by codes of DAO's. */
@ValidatorConstraint({ name: 'daoCodes' })
class AreDaoCodes implements ValidatorConstraintInterface {
  validate(codes: unknown): boolean {
    if (typeof codes !== 'object' || codes === null || Array.isArray(codes)) return false;
    return Object.values(codes).every((status) => TRACKING_STATUSES.some((each) => each === status));
  }

  defaultMessage(): string {
    return `must map codes of DAO to ${TRACKING_STATUSES.join(', ')}, e.g. { "30": delivered }`;
  }
}

/** What DAO gives a customer for its API. */
export class DaoConfig {
  @Transform(toText)
  @IsString({ message: 'must be the customer id from DAO, e.g. "9999"' })
  @IsNotEmpty({ message: 'must be the customer id from DAO, e.g. "9999"' })
  customerId: string;

  /** The secret: it stands in every address that is asked. */
  @Transform(toText)
  @IsString({ message: 'must be the API code from DAO' })
  @IsNotEmpty({ message: 'must be the API code from DAO' })
  code: string;

  /** A sender stored at DAO; without it DAO takes the account's own. */
  @IsOptional()
  @Transform(toText)
  @IsString({ message: 'must be the id of a sender stored at DAO' })
  senderId?: string;

  /** `true`: DAO checks orders and makes none. */
  @Transform(toFlag)
  @IsBoolean({ message: 'must be true or false' })
  test: boolean = false;

  @IsIn(PAPERS, { message: `must be one of ${PAPERS.join(', ')}` })
  paper: DaoPaper = '100x150';

  /** What the recipient must show (`idkrav`), in DAO's words; `none`: nothing. A rule's option goes before it. */
  @Transform(({ value }: { value: unknown }) => value ?? NO_DEMAND)
  @IsString({ message: 'must be what DAO takes as idkrav, e.g. Udleveringskode, or none' })
  idkrav: string = 'Udleveringskode';

  /** Whether `faktura` is our reference, of which each parcel has its own, or the number of the shipment. */
  @IsIn(INVOICE_NUMBERS, { message: `must be one of ${INVOICE_NUMBERS.join(', ')}` })
  faktura: (typeof INVOICE_NUMBERS)[number] = 'reference';

  /** What codes in DAO's tracking mean, where the table here is wrong or does not have them. */
  @Validate(AreDaoCodes)
  trackingCodes: DaoCodes = {};
}
