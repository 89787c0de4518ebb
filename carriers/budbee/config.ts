import { FlagSetting, NumberSetting, TextSetting } from '../toolkit/settings.js';

/** What Budbee gives a customer for its API; the names are those of `BudbeeTransport` in the IMS. */
export class BudbeeConfig {
  @TextSetting('must be the API key from Budbee')
  apiKey: string;

  /** Budbee signs its callbacks with it too. */
  @TextSetting('must be the secret API key from Budbee')
  apiSecret: string;

  /** The warehouse that the parcels leave; Budbee's sandbox has other numbers. */
  @NumberSetting('must be the number of the collection point that Budbee gave, e.g. 9999')
  collectionId: number;

  /** `true`: Budbee's sandbox is asked, unless the account names a `baseUrl`. */
  @FlagSetting()
  test: boolean = false;
}
