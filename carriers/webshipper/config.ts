import type { CustomsNumbers } from '../contract/index.js';
import { FlagSetting, OptionalPattern, OptionalText, PatternSetting, TextSetting } from '../toolkit/settings.js';

export const SERVICE = /^\d+(\|\S.*)?$/;
export const SERVICE_WORDS =
  'the number of a shipping rate, e.g. 501, or of a carrier with its service, e.g. 12|PARCEL';

const OptionalService = () => OptionalPattern(SERVICE, `must be ${SERVICE_WORDS}`);
const OptionalNumber = () => OptionalText('must be the number with which the sender exports');

/** README, Account; the names of the first three, of which `webhookSecret` is not used, are those of `WebshipperIntegration`. */
export class WebshipperConfig {
  @PatternSetting(/^[a-z\d][a-z\d-]*$/i, 'must be the name of the account at Webshipper, e.g. demo') serverName: string;
  @TextSetting('must be the API token of the account at Webshipper') apiKey: string;
  @OptionalText('must be the secret of the webhooks at Webshipper') webhookSecret?: string;
  @OptionalService() service?: string;
  @OptionalService() dropPointService?: string;
  @OptionalService() returnService?: string;
  @OptionalNumber() vat_no?: string;
  @OptionalNumber() eori?: string;
  @OptionalNumber() voec?: string;
  @OptionalNumber() ioss?: string;
  @FlagSetting() testMode: boolean = false;
}

/** Under the names that an account's `customs` has for them. */
export const numbersIn = ({ vat_no, eori, voec, ioss }: WebshipperConfig): CustomsNumbers => ({
  ...(vat_no && { vat: vat_no }),
  ...(eori && { eori }),
  ...(voec && { voec }),
  ...(ioss && { ioss }),
});
