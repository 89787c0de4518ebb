import { IsOptional } from 'class-validator';
import { AddressSetting, ChoiceSetting, OptionalText, StatusMapSetting, TextSetting } from '../toolkit/settings.js';
import type { ExplainedCodes } from '../toolkit/tracking/explained-codes.js';

export const VOLUMES = ['none', 'm3', 'litres'] as const;

/** What Danske Fragtmænd gives a customer for its API; the first five names are those of `DFTransport` in the IMS. */
export class FragtConfig {
  /** Of the API; the staging system has another one. */
  @AddressSetting('https://api.fragt.dk')
  url: string = 'https://api.fragt.dk';

  @TextSetting('must be the client id from Danske Fragtmænd')
  clientId: string;

  /** With or without the domain `Fragt\` before it. */
  @TextSetting('must be the user name from Danske Fragtmænd')
  userName: string;

  @TextSetting('must be the password from Danske Fragtmænd')
  password: string;

  @TextSetting('must be the number of the agreement, e.g. "999999"')
  agreementNumber: string;

  /** Missing: each rule names it. */
  @OptionalText('must be the code of the hub agreement from Danske Fragtmænd')
  HubAgreement?: string;

  @TextSetting('must be the form of the labels')
  labelType: string = 'Label10x19ForLabelPrinter';

  /** The unit of `Volume`; clients disagree about it. */
  @ChoiceSetting(VOLUMES)
  volume: (typeof VOLUMES)[number] = 'none';

  /** The type of goods of up to 20 kg that stand on no pallet. */
  @ChoiceSetting(['CLL', 'K20'])
  smallParcels: 'CLL' | 'K20' = 'CLL';

  /** What the codes of tracking mean: no list of them is known. */
  @IsOptional()
  @StatusMapSetting('{ "30": delivered }')
  trackingCodes: ExplainedCodes = {};

  /** Missing: that of Danske Fragtmænd; below the `baseUrl` of an account that has one, as in the sandbox. */
  @OptionalText('must be the address of the token service')
  @AddressSetting('https://sts.fragt.dk/adfs/oauth2/token')
  tokenUrl?: string;
}
