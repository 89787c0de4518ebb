import { IsOptional, IsUrl } from 'class-validator';
import type { SenderChoice, SettingsInIms } from '../contract/index.js';
import { ChoiceSetting, FlagSetting, OptionalText, TextSetting, textAt } from '../toolkit/index.js';
import { FORMS } from './customs.js';
import { RETURN_SERVICES } from './services.js';

/** Whether the recipient is told of pick-up and home deliveries without a rule that says so. */
export const NOTIFICATIONS = ['automatic', 'none'] as const;

export class BringConfig {
  @TextSetting('must be the API key from Mybring') readonly apiKey: string;
  @TextSetting('must be the user of the API key, an e-mail address') readonly apiUid: string;
  @TextSetting('must be the customer number from Bring, e.g. "6"') readonly customerNumber: string;

  /** `true`: bookings are not real and cost nothing. */
  @FlagSetting() readonly testIndicator: boolean = false;

  @ChoiceSetting(['area', 'seller']) readonly sender: SenderChoice = 'area';

  /** The option of a rule goes before it. */
  @ChoiceSetting(NOTIFICATIONS) readonly notification: (typeof NOTIFICATIONS)[number] = 'automatic';

  /** Missing: no return labels are made. */
  @OptionalText('must be a service of return labels')
  @ChoiceSetting(RETURN_SERVICES)
  readonly returnService?: string;

  /** Where a booking has its customs declaration: the name of the member, below the consignment or below the product. */
  @ChoiceSetting(Object.keys(FORMS)) readonly customsForm: keyof typeof FORMS = 'customsInformation';

  /** Names the calling system to Bring; best the address of the web shop or of the warehouse's company. */
  @IsOptional()
  @IsUrl({ protocols: ['https', 'http'], require_protocol: true })
  readonly clientUrl?: string;
}

/** Beside the settings there are `instructions: [{ product: { id, additionalServices: [{ id }] }, shipmentPattern }]`. */
export const BRING_IN_IMS: SettingsInIms = {
  key: 'BringTransport',
  keptBy: 'carrier',
  login: ['apiKey', 'apiUid'],
  within: ['customerNumber'],
  olderNames: { customerNumber: 'defaultCustomerNumber' },
  instruction: (instruction) => {
    const { id, additionalServices, ...product } = Object(instruction.product) as Readonly<Record<string, unknown>>;
    const service = textAt(id);
    if (service === null) return null;
    const unread = Object.keys(instruction).filter((name) => !['product', 'shipmentPattern'].includes(name));
    const options = {
      notification: 'none', // such an instruction says all that Bring is asked for
      ...((additionalServices ?? null) !== null && { additionalServices }),
      ...(Object.keys(product).length > 0 && { product }),
      ...(unread.length > 0 && { unread }),
    };
    return { service, options };
  },
};
