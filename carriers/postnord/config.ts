import { ChoiceSetting, FlagSetting, NumberSetting, PatternSetting, TextSetting } from '../toolkit/index.js';

/** PostNord's countries, by the code of the one that gave the customer number. */
export const ISSUERS = { Z11: 'DK', Z12: 'SE', Z13: 'NO', Z14: 'FI' } as const;

/** README, Account. */
export class PostnordConfig {
  @TextSetting('must be the API key from the developer portal of PostNord') apiKey: string;
  @PatternSetting(/^\d{7,10}$/, 'must be the customer number from PostNord, 7 to 10 digits') customerNumber: string;
  @NumberSetting('must be the application id that PostNord gave to your software, e.g. 9999') applicationId: number;
  @ChoiceSetting(Object.keys(ISSUERS)) issuerCode: keyof typeof ISSUERS = 'Z11';
  @FlagSetting() flexChange: boolean = false;
  @FlagSetting() testIndicator: boolean = false;
  @FlagSetting() test: boolean = false;
}
