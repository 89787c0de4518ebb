import { Transform } from 'class-transformer';
import { IsString } from 'class-validator';
import type { LabelForm, TrackingStatus } from '../contract/index.js';
import { ChoiceSetting, FlagSetting, OptionalText, StatusMapSetting, TextSetting } from '../toolkit/settings.js';

/**
 * The papers of `HentLabel.php`, as its parameter `papir` spells them, with what their names say (README, Assumptions);
 * nothing says how `l` and `p` differ from the others.
 */
export const PAPER_SIZES = {
  '100x150': { widthMm: 100, heightMm: 150 },
  A4Foldable: { widthMm: 210, heightMm: 297 },
  '150x100': { widthMm: 150, heightMm: 100 },
  '100x150l': {},
  '100x150p': {},
} as const;

type Paper = keyof typeof PAPER_SIZES;

/** Of each paper whose size is known. */
export const LABELS: readonly LabelForm[] = Object.values(PAPER_SIZES).flatMap((size) =>
  'widthMm' in size ? [{ format: 'pdf', ...size }] : [],
);

/** The paper of this size; `null`: there is none, or no size is asked for. */
export function paperOf(form: LabelForm | undefined): Paper | null {
  const papers = Object.keys(PAPER_SIZES) as Paper[];
  const isOfSize = (paper: Paper) => {
    const size = PAPER_SIZES[paper];
    return 'widthMm' in size && size.widthMm === form?.widthMm && size.heightMm === form.heightMm;
  };
  return papers.find(isOfSize) ?? null;
}

/** Of `idkrav`: the recipient need not show anything. */
export const NO_DEMAND = 'none';

/** By `haendelse`, or by product group and `haendelse`: the same number can mean different things in two groups. */
export type DaoCodes = Readonly<Record<string, TrackingStatus>>;

/** What DAO gives a customer for its API. */
export class DaoConfig {
  @TextSetting('must be the customer id from DAO, e.g. "9999"')
  customerId: string;

  /** The secret: it stands in every address that is asked. */
  @TextSetting('must be the API code from DAO')
  code: string;

  /** A sender stored at DAO; without it DAO takes the account's own. */
  @OptionalText('must be the id of a sender stored at DAO')
  senderId?: string;

  /** `true`: DAO checks orders and makes none. */
  @FlagSetting()
  test: boolean = false;

  @ChoiceSetting(Object.keys(PAPER_SIZES))
  paper: Paper = '100x150';

  /** What the recipient must show (`idkrav`), in DAO's words; `none`: nothing. A rule's option goes before it. */
  @Transform(({ value }: { value: unknown }) => value ?? NO_DEMAND)
  @IsString({ message: 'must be what DAO takes as idkrav, e.g. Udleveringskode, or none' })
  idkrav: string = 'Udleveringskode';

  /** Whether `faktura` is our reference, of which each parcel has its own, or the number of the shipment. */
  @ChoiceSetting(['reference', 'shipment-number'])
  faktura: 'reference' | 'shipment-number' = 'reference';

  /** What codes in DAO's tracking mean, where the table here is wrong or does not have them. */
  @StatusMapSetting('{ "30": delivered }')
  trackingCodes: DaoCodes = {};
}
