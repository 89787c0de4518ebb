import type { PointFields } from '../toolkit/index.js';
import { ChoiceSetting, FlagSetting, OptionalPattern, OptionalText, TextSetting, textAt } from '../toolkit/index.js';

const roll = (heightMm: number) => ({ widthMm: 107, heightMm });
const A4 = { widthMm: 210, heightMm: 297 };

/** The paper of each label medium. */
export const MEDIA = {
  ...{ 'thermo-190': roll(190), 'thermo-se': roll(251), 'thermo-brev3': roll(72) },
  ...{ 'laser-a5': A4, 'laser-2a5': A4, 'laser-ste': A4 },
};

export const AGENTS = 'POSTNORD BRING GLS DHLSP DHLSPCOD SBTL PP PPFI MHM POSTI ITELLA ITELLASP BUSSGODS'.split(' ');

/** Where a pick-up point has its parts. */
export const AGENT: PointFields = {
  ...{ id: 'id', name: 'name', street: 'address1', postalCode: 'zipcode', city: 'city', countryCode: 'countryCode' },
  hoursOf: (agent) => [textAt(agent, 'openingHours')],
};

/** README, Account; the first five names are those of `PostnordTransport` in the IMS. */
export class NshiftConfig {
  @TextSetting('must be the id of an API key for web services, 16 characters')
  user: string;

  @TextSetting('must be the secret of the API key, 24 characters')
  pin: string;

  @FlagSetting() test: boolean = false;
  /** Needs the licence of this name. */
  @FlagSetting() trackBack: boolean = false;
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
