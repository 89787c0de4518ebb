import type { BookingRequest, CarrierService, Problem, RuleProduct } from '../contract/index.js';
import type { FieldTable } from '../toolkit/index.js';
import { anyOf, anyText, contactProblems, declarationProblems, inWords, listOf } from '../toolkit/index.js';
import { noDangerousGoods, partyProblems, ruleCheck, textAt, when } from '../toolkit/index.js';
import { SERVICE, SERVICE_WORDS, type WebshipperConfig } from './config.js';

const carrier = 'Webshipper';

export const SERVICES: readonly CarrierService[] = [
  { code: '<shipping rate>', name: 'a shipping rate of the account, by its number, e.g. 501' },
  { code: '<carrier>|<service>', name: 'a carrier of the account and the code of its service, e.g. 12|PARCEL' },
];

/** The text fields. No source states limits of length or letters. */
export const FIELDS = {
  company_name: { means: 'name' },
  att_contact: { means: 'contact' },
  address_1: { means: 'street' },
  address_2: { means: 'second-line' },
  city: { means: 'city' },
  phone: { means: 'phone' },
  email: { means: 'email' },
  comment: { means: 'notes' },
} as const satisfies FieldTable;

const isAttribute = (item: unknown) => textAt(item, 'attr_key') !== null && textAt(item, 'attr_value') !== null;
const checkOptions = ruleCheck({
  carrier,
  options: {
    add_ons: listOf((item) => textAt(item) !== null, 'a list of codes'),
    service_attributes: listOf(isAttribute, 'a list of { attr_key, attr_value }'),
    notification: anyOf(['automatic', 'none']),
    colli_type: anyText('a text'),
  },
});
/** A shipping rate says these itself: they must not be sent with one. */
const NOT_WITH_A_RATE = ['add_ons', 'service_attributes', 'notification'];

/** The service of a rule or of the account, as Webshipper's questions have it. */
export function productIn(service: string) {
  const [number, ...code] = service.split('|');
  const none = { shipping_rate_id: undefined, carrier_id: undefined, service_code: undefined };
  if (code.length === 0) return { ...none, shipping_rate_id: number };
  return { ...none, carrier_id: number, service_code: code.join('|') };
}

/** `''`: neither the rule nor the account names one. */
export const serviceOf = ({ service, deliverToPickUpPoint }: BookingRequest, config: WebshipperConfig): string =>
  service ?? (deliverToPickUpPoint ? config.dropPointService : config.service) ?? '';

export function checkRule({ service, options }: RuleProduct): readonly Problem[] {
  const isKnown = service === null || SERVICE.test(service);
  const text = `Webshipper has no service "${service}": the rule or the account must name ${SERVICE_WORDS}.`;
  const isRate = service !== null && productIn(service).shipping_rate_id !== undefined;
  const unsent = isRate ? NOT_WITH_A_RATE.filter((name) => name in options) : [];
  return [
    ...inWords(text, when(!isKnown, 'unknown-service', { service: service ?? '', carrier })),
    ...checkOptions({ service: null, options }),
    ...unsent.flatMap((given) => when(true, 'not-sent', { given, carrier: 'a shipping rate of Webshipper' })),
  ];
}

/** What Webshipper would refuse. */
export function checkForWebshipper(request: BookingRequest, config: WebshipperConfig): readonly Problem[] {
  return [
    ...checkRule({ service: serviceOf(request, config), options: request.options }),
    ...partyProblems(request, { fields: FIELDS, parts: ['name', 'street', 'postal-code', 'city', 'country'] }),
    ...contactProblems(request, { carrier, fields: FIELDS }),
    ...declarationProblems(request),
    ...noDangerousGoods(request, carrier),
  ];
}
