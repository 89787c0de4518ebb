import { IsOptional, IsUrl } from 'class-validator';
import { ChoiceSetting, FlagSetting, OptionalText, TextSetting } from '../toolkit/index.js';

/** Whose address a parcel's sender is. */
export const SENDERS = ['area', 'seller'] as const;
/** Whether the recipient is told of pick-up and home deliveries without a rule that says so. */
export const NOTIFICATIONS = ['automatic', 'none'] as const;
/** Services by which customers send parcels back, each of which needs an agreement with Bring. */
export const RETURN_SERVICES: readonly string[] = [
  ...['PICKUP_PARCEL_RETURN', 'PICKUP_PARCEL_RETURN_BULK', 'BUSINESS_PARCEL_RETURN', 'BUSINESS_PARCEL_RETURN_BULK'],
  ...['9000', '9300', '9350', '9600'],
];

export class BringConfig {
  /** Of the Mybring user. */
  @TextSetting('must be the API key from Mybring') readonly apiKey: string;

  /** The e-mail address of the Mybring user, who needs the booking right on the customer number. */
  @TextSetting('must be the user of the API key, an e-mail address') readonly apiUid: string;

  /** The main customer number. */
  @TextSetting('must be the customer number from Bring, e.g. "6"') readonly customerNumber: string;

  /** `true`: bookings are not real and cost nothing. */
  @FlagSetting() readonly testIndicator: boolean = false;

  /** The area's address, where the parcels leave, or that of the seller whose parcels they are. */
  @ChoiceSetting(SENDERS) readonly sender: (typeof SENDERS)[number] = 'area';

  /** `none`: nothing is sent to the recipient but what a rule names. The option of a rule goes before it. */
  @ChoiceSetting(NOTIFICATIONS) readonly notification: (typeof NOTIFICATIONS)[number] = 'automatic';

  /** The service of return labels; missing: none are made. */
  @OptionalText('must be a service of return labels')
  @ChoiceSetting(RETURN_SERVICES)
  readonly returnService?: string;

  /** Names the calling system to Bring; best the address of the web shop or of the warehouse's company. */
  @IsOptional()
  @IsUrl({ protocols: ['https', 'http'], require_protocol: true })
  readonly clientUrl?: string;
}
