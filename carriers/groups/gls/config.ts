import { AddressSetting, TextSetting, basicCredentials } from '../../toolkit/index.js';

const PRODUCTION = 'https://api.gls-group.net';

/** What GLS Group gives a customer for its Track & Trace: `tracking` in the settings of an account. */
export class GlsGroupConfig {
  @TextSetting('must be the client id from GLS Group') clientId: string;
  @TextSetting('must be the client secret from GLS Group') clientSecret: string;
  @AddressSetting(PRODUCTION) baseUrl: string = PRODUCTION;
}

/** As `secrets` of a carrier has them: the secret itself, and as it stands in a header. */
export function secretsOfGlsGroup(config: GlsGroupConfig | undefined): readonly string[] {
  return config ? [config.clientSecret, basicCredentials(config.clientId, config.clientSecret)] : [];
}
