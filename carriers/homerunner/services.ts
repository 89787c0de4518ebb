import {
  type BookingRequest,
  type CarrierService,
  type Problem,
  type RuleProduct,
  nearestWord,
} from '../contract/index.js';
import { ruleCheck } from '../toolkit/checks/rule-check.js';
import { contactProblems } from '../toolkit/checks/contact-problems.js';
import { partyProblems } from '../toolkit/checks/party-problems.js';
import { customsByPaperOnly, declarationProblems } from '../toolkit/customs.js';
import type { FieldTable } from '../toolkit/fit.js';
import { sentContact } from '../toolkit/party-texts.js';
import { forParcels, inWords, noDangerousGoods, when } from '../toolkit/preflight.js';
import { hasSides } from '../toolkit/units.js';
import type { HomerunnerConfig } from './config.js';

const carrier = 'HomeRunner';
const CARRIERS = ['gls', 'dao', 'postnord', 'bring', 'dhl', 'royalmail', 'coolrunner'];
const DROPPOINT = 'droppoint';
/** The service to an address, where it is not `delivery`. */
const TO_ADDRESS: Readonly<Record<string, string>> = { dao: 'delivery_package', coolrunner: 'europe' };

export const SERVICES: readonly CarrierService[] = [
  ...CARRIERS.map((code) => ({ code, name: `${code}, with the product and service that suit the shipment` })),
  { code: '<carrier>|<product>|<service>', name: 'any that the account has, e.g. dao|private|droppoint' },
];

/** The text fields. No source states limits of length or letters. */
export const FIELDS = {
  name: { means: 'name' },
  attention: { means: 'contact' },
  street1: { means: 'street' },
  street2: { means: 'second-line' },
  city: { means: 'city' },
  phone: { means: 'phone' },
  email: { means: 'email' },
  comment: { means: 'notes' },
} as const satisfies FieldTable;

const checkOptions = ruleCheck({ carrier, options: {} });
/** A carrier alone, or a carrier, a product and a service, which may be empty. */
const WRITTEN = /^[a-z\d_-]+(\|[a-z\d_-]+\|[a-z\d_-]*)?$/;

/** The words that are known of each part; an account may have others. */
const WORDS = [CARRIERS, ['private', 'business', 'return'], [DROPPOINT, 'delivery', ...Object.values(TO_ADDRESS)]];

/** The known word that this one is like; itself, where there is none. */
function meantBy(word: string, part: number): string {
  const known = WORDS[part] ?? [];
  const isKnown = word === '' || known.includes(word);
  return isKnown ? word : (nearestWord(word, known, word.length > 4 ? 2 : 1) ?? word);
}

export function checkRule({ service, options }: RuleProduct): readonly Problem[] {
  const parts = (service ?? '').split('|');
  const near = parts.length === 1 ? nearestWord(service ?? '', CARRIERS, 2) : parts.map(meantBy).join('|');
  const isKnown = service === null || (WRITTEN.test(service) && near === service);
  const meant = near === null || near === service ? `one of ${CARRIERS.join(', ')}` : near;
  const text = `HomeRunner has no service "${service}"; perhaps ${meant} is meant, or write carrier|product|service: mend the rule in the settings.`;
  return [
    ...inWords(text, when(!isKnown, 'unknown-service', { service: service ?? '', carrier })),
    ...checkOptions({ service: null, options }),
  ];
}

/** The product as a rule writes it, else as the vendor's app completes it; `null`: no carrier is named. */
export function productOf({ service, deliverToPickUpPoint }: BookingRequest, config: HomerunnerConfig) {
  const [name = '', product, suffix] = (service ?? config.carrier ?? '').split('|');
  const usual = deliverToPickUpPoint ? DROPPOINT : (TO_ADDRESS[name] ?? 'delivery');
  return { carrier: name, carrier_product: product ?? 'private', carrier_service: suffix ?? usual };
}

export function isToPoint(request: BookingRequest, config: HomerunnerConfig): boolean {
  return productOf(request, config).carrier_service === DROPPOINT;
}

/** Goods are those of the whole shipment: which of them are in which of several parcels is not known. */
export const isAlone = ({ parcelsInShipment }: BookingRequest): boolean => parcelsInShipment === 1;

/** What HomeRunner would refuse. */
export function checkForHomerunner(request: BookingRequest, config: HomerunnerConfig): readonly Problem[] {
  const product = productOf(request, config);
  return [
    ...checkRule({ service: request.service ?? config.carrier ?? null, options: request.options }),
    ...when(product.carrier === '', 'unknown-service', { service: '', carrier }),
    ...partyProblems(request, { fields: FIELDS, parts: ['name', 'street', 'postal-code', 'city', 'country'] }),
    ...senderProblems(request),
    ...contactProblems(request, { carrier, fields: FIELDS, needs: { email: true, mobile: true } }),
    ...forParcels(request, (parcel) => !hasSides(parcel), { code: 'measures' }),
    ...customsProblems(request),
    ...noDangerousGoods(request, carrier),
  ];
}

function customsProblems(request: BookingRequest): readonly Problem[] {
  if (isAlone(request)) return declarationProblems(request);
  const wantsLines = customsByPaperOnly(request, carrier, request.sender.address.countryCode ?? '').length > 0;
  return when(wantsLines, 'customs-one-parcel', { carrier });
}

function senderProblems({ sender }: BookingRequest): readonly Problem[] {
  const { mobile, email } = sentContact(sender, FIELDS);
  return [...when(!mobile, 'sender-phone', { carrier }), ...when(!email, 'sender-email', { carrier })];
}
