import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsNotEmpty, IsOptional, IsString } from 'class-validator';

/** The papers of `HentLabel.php`, as its parameter `papir` spells them. */
export const PAPERS = ['100x150', 'A4Foldable', '150x100', '100x150l', '100x150p'] as const;

export type DaoPaper = (typeof PAPERS)[number];

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
}
