import type { BookingRequest, CarrierService, Problem } from '../contract/index.js';
import { COUNT, CURRENCY, FLAG, NUMBER, type OptionRule, anyOf, anyText } from '../toolkit/checks/rule-check.js';
import { each, groupOf, listOf, ruleCheck } from '../toolkit/checks/rule-check.js';
import { contactProblems } from '../toolkit/checks/contact-problems.js';
import { partyProblems } from '../toolkit/checks/party-problems.js';
import { paperProblems } from '../toolkit/customs.js';
import type { FieldTable } from '../toolkit/fit.js';
import { textAt } from '../toolkit/json.js';
import { noDangerousGoods, optionValue, when } from '../toolkit/preflight.js';
import type { FragtConfig } from './config.js';

/** `ShippingType`, with the spelling of Danske Fragtmænd. */
export const GROUPAGE = 'Stykgods';
export const SERVICES: readonly CarrierService[] = [
  { code: GROUPAGE, name: 'Groupage' },
  { code: 'Erhversbilpakker', name: 'Parcels to companies' },
  { code: 'Bilpakke', name: 'Parcels' },
  { code: 'PalleEnhedsForsendelse', name: 'Pallets' },
  { code: 'ErhvervspakkeVolumen', name: 'Parcels to companies, by volume' },
];

export const TYPES = ['PKK', 'PL1', 'PL2', 'PL4', 'PL7', 'PLL', 'K10', 'K20', 'C10', 'CLL'];
export const NOTE_TYPES = ['Pickup', 'Return', 'ChangeOfAddress', 'Unknown'];
export const PAYERS = ['Prepaid', 'Collect', 'Unknown'];

const isTime = (value: unknown) => typeof value === 'string' && /^([01]\d|2[0-3]):[0-5]\d$/.test(value);
const TIME: OptionRule = { allowed: 'a time, e.g. "08:00"', isFine: isTime };
const isDays = (value: unknown) => COUNT.isFine(value) && Number(value) <= 30;
const DAYS: OptionRule = { allowed: 'a whole number up to 30', isFine: isDays };
const CODE = anyText('the code from Danske Fragtmænd');

/** By the names of Danske Fragtmænd, but `notification` and `workingDays`; `Type` is that of each line of goods. */
export const checkRule = ruleCheck({
  carrier: 'Danske Fragtmænd',
  services: SERVICES,
  options: {
    ConsignmentNoteType: anyOf(NOTE_TYPES),
    WhoPays: anyOf(PAYERS),
    ...each(CODE, 'HubAgreement ProductCode'),
    ServiceCodes: listOf((each) => typeof each === 'string', 'a list of codes from Danske Fragtmænd'),
    Type: anyOf(TYPES),
    ...{ Stackable: FLAG, LoadMeters: NUMBER },
    ...each(anyText('a text'), 'Department PickupRemarks'),
    ...groupOf('PickupTime', each(TIME, 'PickupIntervalStart PickupIntervalEnd')),
    ...groupOf('DeliveryTime', { DotType: CODE, ...each(TIME, 'DotIntervalStart DotIntervalEnd'), workingDays: DAYS }),
    ...groupOf('ExchangePallets', each(COUNT, 'FullPallets HalfPallets QuaterPallets QuarterPallets')),
    ...groupOf('Insurance', { Amount: NUMBER, AmountCurrency: CURRENCY, Type: CODE }),
    notification: anyOf(['automatic', 'none']),
  },
});

/**
 * The text fields; the sender's telephone number and e-mail address are sent as `Phone` and `Email`. No source states
 * limits of length or letters.
 */
export const FIELDS = {
  Name: { means: 'name' },
  Name2: { means: 'care-of' },
  Street: { means: 'street' },
  Street2: { means: 'second-line' },
  Town: { means: 'city' },
  ContactPerson: { means: 'contact' },
  ContactPersonPhone: { means: 'phone' },
  ContactPersonEmail: { means: 'email' },
  DeliveryRemark: { means: 'notes' },
  SenderRef: { means: 'reference' },
} as const satisfies FieldTable;

/** The rule's word before the account's; `null`: neither has one. */
export function hubAgreementOf({ options }: Pick<BookingRequest, 'options'>, config: FragtConfig): string | null {
  return textAt(options, 'HubAgreement') ?? config.HubAgreement ?? null;
}

/** What Danske Fragtmænd would refuse. */
export function checkForFragt(request: BookingRequest, config: FragtConfig): readonly Problem[] {
  const { deliverToPickUpPoint, pickUpPointId } = request;
  const carrier = 'Danske Fragtmænd';
  const about = { given: null, allowed: 'the code of the hub agreement from Danske Fragtmænd' };
  return [
    ...checkRule(request),
    ...optionValue(hubAgreementOf(request, config) === null, 'HubAgreement', about),
    ...when(deliverToPickUpPoint && !pickUpPointId, 'pick-up-point-missing'),
    ...partyProblems(request, { fields: FIELDS, parts: ['name', 'street', 'postal-code', 'city', 'country'] }),
    ...contactProblems(request, { carrier, fields: FIELDS }),
    ...paperProblems(request),
    ...noDangerousGoods(request, carrier),
  ];
}
