import { FlagSetting, OptionalPattern, OptionalText, PatternSetting, TextSetting } from '../toolkit/settings.js';

export const SERVICE = /^\d+(\|\S.*)?$/;
export const SERVICE_WORDS =
  'the number of a shipping rate, e.g. 501, or of a carrier with its service, e.g. 12|PARCEL';

/** README, Account; the names of the first three are those of `WebshipperIntegration` in the IMS. */
export class WebshipperConfig {
  @PatternSetting(/^[a-z\d][a-z\d-]*$/i, 'must be the name of the account at Webshipper, e.g. demo')
  serverName: string;

  @TextSetting('must be the API token of the account at Webshipper')
  apiKey: string;

  /** So that the settings can be copied as they are; callbacks are checked with the account's `callbacks.secret`. */
  @OptionalText('must be the secret of the webhooks at Webshipper')
  webhookSecret?: string;

  @OptionalPattern(SERVICE, `must be ${SERVICE_WORDS}`)
  service?: string;

  @OptionalPattern(SERVICE, `must be ${SERVICE_WORDS}`)
  dropPointService?: string;

  @OptionalPattern(SERVICE, `must be ${SERVICE_WORDS}`)
  returnService?: string;

  @FlagSetting()
  testMode: boolean = false;
}
