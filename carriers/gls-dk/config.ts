import { GlsGroupConfig } from '../groups/gls/config.js';
import { AddressSetting, ChoiceSetting, OptionalGroup, TextSetting } from '../toolkit/index.js';

const SHOP_FINDER = 'https://www.gls.dk/webservices_v4/wsShopFinder.asmx';
/** Each of the four is a text of at most so many characters at GLS. */
const MAX_CHARACTERS = 20;

/** What GLS Denmark gives a customer for its web service. */
export class GlsDkConfig {
  @TextSetting('must be the user name from GLS', MAX_CHARACTERS) userName: string;
  @TextSetting('must be the password from GLS', MAX_CHARACTERS) password: string;
  @TextSetting('must be the customer id from GLS, e.g. "9990000001"', MAX_CHARACTERS) customerId: string;

  /** Decides from which contact at GLS the parcels are sent. */
  @TextSetting('must be the contact id from GLS, e.g. "208x999Test"', MAX_CHARACTERS) contactId: string;

  /** What sends a parcel to a shop: its number alone, or the shipment's own word that it goes to a pick-up point. */
  @ChoiceSetting(['id', 'flag']) pickUpPoint: 'id' | 'flag' = 'id';

  /** What of a shipment chooses services where a rule names none: all that it says, or the parcel shop alone. */
  @ChoiceSetting(['all', 'pick-up-point']) servicesFromShipment: 'all' | 'pick-up-point' = 'all';

  /** The public parcel shop finder, which has an address of its own. */
  @AddressSetting(SHOP_FINDER) shopFinder: string = SHOP_FINDER;

  /** Missing: what became of parcels is not asked. */
  @OptionalGroup(() => GlsGroupConfig, 'must be an object with clientId and clientSecret')
  tracking?: GlsGroupConfig;
}
