import { COMPANY_PREFIX } from '../toolkit/gs1/numbers.js';
import { NumberSetting, PatternSetting } from '../toolkit/settings.js';

export class OwnFleetConfig {
  @PatternSetting(COMPANY_PREFIX, 'must be the GS1 company prefix, 4 to 12 digits, in quotes')
  readonly companyPrefix: string;

  @PatternSetting(/^\d$/, 'must be one digit, in quotes')
  readonly extensionDigit: string = '0';

  /** No smaller serial number is given: for a prefix that is in use already, and after a backup was restored. */
  @NumberSetting('must be the first serial number, e.g. 5000')
  readonly firstSerial: number = 1;

  @PatternSetting(/^[a-z0-9][a-z0-9-]{0,40}$/, 'must be the name of a file in templates/labels, without .yaml')
  readonly template: string = 'own-fleet';
}
