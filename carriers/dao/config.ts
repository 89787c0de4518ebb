import { Transform } from 'class-transformer';
import { IsString } from 'class-validator';
import type { TrackingStatus } from '../contract/index.js';
import type { NamedForms } from '../toolkit/index.js';
import { ChoiceSetting, FlagSetting, OptionalText, StatusMapSetting, TextSetting } from '../toolkit/index.js';

/**
 * The papers of `HentLabel.php`, as its parameter `papir` spells them, with what their names say (README, Assumptions);
 * nothing says how `l` and `p` differ from the others.
 */
export const PAPERS = {
  '100x150': { format: 'pdf', widthMm: 100, heightMm: 150 },
  A4Foldable: { format: 'pdf', widthMm: 210, heightMm: 297 },
  '150x100': { format: 'pdf', widthMm: 150, heightMm: 100 },
  '100x150l': null,
  '100x150p': null,
} as const satisfies NamedForms;

/** The value of `idkrav` with which the recipient need not show anything. */
export const NO_DEMAND = 'none';

/** By `haendelse`, or by product group and `haendelse`: the same number can mean different things in two groups. */
export type DaoCodes = Readonly<Record<string, TrackingStatus>>;

/** What DAO gives a customer for its API. */
export class DaoConfig {
  @TextSetting('must be the customer id from DAO, e.g. "9999"') customerId: string;

  /** The secret: it stands in every address that is asked. */
  @TextSetting('must be the API code from DAO') code: string;

  /** A sender stored at DAO; without it DAO takes the account's own. */
  @OptionalText('must be the id of a sender stored at DAO') senderId?: string;

  /** `true`: DAO checks orders and makes none. */
  @FlagSetting() test: boolean = false;

  @ChoiceSetting(Object.keys(PAPERS)) paper: keyof typeof PAPERS = '100x150';

  /** What the recipient must show (`idkrav`), in DAO's words; `none`: nothing. A rule's option goes before it. */
  @Transform(({ value }: { value: unknown }) => value ?? NO_DEMAND)
  @IsString({ message: 'must be what DAO takes as idkrav, e.g. Udleveringskode, or none' })
  idkrav: string = 'Udleveringskode';

  /** Whether `faktura` is our reference, of which each parcel has its own, or the number of the shipment. */
  @ChoiceSetting(['reference', 'shipment-number']) faktura: 'reference' | 'shipment-number' = 'reference';

  /** What codes in DAO's tracking mean, where the table here is wrong or does not have them. */
  @StatusMapSetting('{ "30": delivered }') trackingCodes: DaoCodes = {};
}
