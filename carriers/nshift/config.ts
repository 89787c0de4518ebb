import { ChoiceSetting, FlagSetting, OptionalPattern, OptionalText, TextSetting } from '../toolkit/index.js';

/** The size of each label medium, in millimetres; `null`: labels on sheets of A4. */
export const MEDIA = {
  'thermo-190': { widthMm: 107, heightMm: 190 },
  'thermo-se': { widthMm: 107, heightMm: 251 },
  'thermo-brev3': { widthMm: 107, heightMm: 72 },
  'laser-a5': null,
  'laser-2a5': null,
  'laser-ste': null,
} as const;

export const AGENTS = 'POSTNORD BRING GLS DHLSP DHLSPCOD SBTL PP PPFI MHM POSTI ITELLA ITELLASP BUSSGODS'.split(' ');

/** README, Account; the first five names are those of `PostnordTransport` in the IMS. */
export class NshiftConfig {
  @TextSetting('must be the id of an API key for web services, 16 characters')
  user: string;

  @TextSetting('must be the secret of the API key, 24 characters')
  pin: string;

  @FlagSetting()
  test: boolean = false;

  @OptionalText('must be the bulk id of letters from PostNord, e.g. "1"')
  bulkId?: string;

  @OptionalText('must be the quick id of a sender in the account, e.g. "1"')
  senderQuickId?: string;

  @OptionalText('must be the id of a carrier in the code lists of the account, e.g. POSTI')
  partner?: string;

  @OptionalText('must be the customer number at the partner')
  customerNumber?: string;

  @ChoiceSetting(Object.keys(MEDIA))
  media: keyof typeof MEDIA = 'thermo-190';

  @ChoiceSetting(['by-carrier', 'm', 'cm'])
  dimensions: 'by-carrier' | 'm' | 'cm' = 'by-carrier';

  @ChoiceSetting(AGENTS)
  agentType: string = 'POSTNORD';

  @OptionalPattern(/^[A-Z]{3}$/, 'must be the currency of the prices in the account, e.g. DKK')
  priceCurrency?: string;
}
