import type { LabelForm } from '../contract/index.js';
import { ChoiceSetting, FlagSetting, OptionalPattern, OptionalText, TextSetting } from '../toolkit/settings.js';

/** How Shipmondo writes the codes of products and services. */
export const CODE = /^[A-Z\d]+(_[A-Z\d]+)*$/;
/** The values of `label_format` and the form that each names. Waybridge cannot print PNG. */
export const LABELS: Readonly<Record<string, LabelForm>> = {
  '10x19_pdf': { format: 'pdf', widthMm: 100, heightMm: 190 },
  a4_pdf: { format: 'pdf', widthMm: 210, heightMm: 297 },
  '10x19_zpl': { format: 'zpl', widthMm: 100, heightMm: 190 },
};
export const LABEL_FORMATS = [...Object.keys(LABELS), 'compact_pdf', 'compact_zpl'];

const OptionalProduct = () => OptionalPattern(CODE, 'must be the code of a product at Shipmondo, e.g. GLSDK_SD');

/** README, Account. */
export class ShipmondoConfig {
  @TextSetting('must be the API user from Settings, Integrations, API') apiUser: string;
  @TextSetting('must be the API key from Settings, Integrations, API') apiKey: string;
  @OptionalProduct() product?: string;
  @OptionalProduct() pickUpPointProduct?: string;
  @OptionalText('must be the carrier of pickUpPointProduct, e.g. gls') pickUpPointCarrier?: string;
  @OptionalProduct() returnProduct?: string;
  @FlagSetting() ownAgreement: boolean = true;
  @OptionalText('must be the number of the agreement with the carrier') customerNumber?: string;
  @OptionalText('must be the number with which the sender exports') vatNumber?: string;
  @ChoiceSetting(['area', 'seller']) sender: 'area' | 'seller' = 'area';
  @ChoiceSetting(LABEL_FORMATS) labelFormat: string = '10x19_pdf';
  @FlagSetting() searchByReference: boolean = false;
  @FlagSetting() test: boolean = false;
}
