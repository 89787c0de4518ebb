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
import { customsByPaperOnly } from '../toolkit/customs.js';
import type { FieldTable } from '../toolkit/fit.js';
import { partyTexts } from '../toolkit/party-texts.js';
import { forParcels, inWords, noDangerousGoods, when } from '../toolkit/preflight.js';
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

export function checkRule({ service, options }: RuleProduct): readonly Problem[] {
  const isKnown = service === null || (WRITTEN.test(service) && (service.includes('|') || CARRIERS.includes(service)));
  const meant = nearestWord(service ?? '', CARRIERS, 2) ?? `one of ${CARRIERS.join(', ')}`;
  const text = `HomeRunner has no service "${service}"; meant is perhaps ${meant}, or write carrier|product|service: mend the rule in the settings.`;
  return [
    ...inWords(text, when(!isKnown, 'unknown-service', { service: service ?? '', carrier })),
    ...checkOptions({ service: null, options }),
  ];
}

/** As a rule writes it, else as the vendor's app completes it; `null`: no carrier is named. */
export function productOf({ service, deliverToPickUpPoint }: BookingRequest, config: HomerunnerConfig) {
  const [name = '', product, suffix] = (service ?? config.carrier ?? '').split('|');
  const usual = deliverToPickUpPoint ? DROPPOINT : (TO_ADDRESS[name] ?? 'delivery');
  return { carrier: name, carrier_product: product ?? 'private', carrier_service: suffix ?? usual };
}

/** What HomeRunner would refuse. */
export function checkForHomerunner(request: BookingRequest, config: HomerunnerConfig): readonly Problem[] {
  const { recipient, sender } = request;
  const product = productOf(request, config);
  const { phone, email } = partyTexts(recipient, FIELDS);
  const isDroppoint = product.carrier_service === DROPPOINT;
  const isUnmeasured = ({ lengthMm, widthMm, heightMm }: BookingRequest['parcels'][number]) =>
    [lengthMm, widthMm, heightMm].includes(null);
  return [
    ...checkRule(request),
    ...when(product.carrier === '', 'unknown-service', { service: '', carrier }),
    ...when(isDroppoint && !request.pickUpPointId, 'pick-up-point-missing'),
    ...partyProblems(request, { fields: FIELDS, parts: ['name', 'street', 'postal-code', 'city', 'country'] }),
    ...senderProblems(request),
    ...contactProblems({ email: email.sent, mobile: phone.sent }, { carrier, needs: { email: true, mobile: true } }),
    ...forParcels(request, isUnmeasured, { code: 'measures' }),
    ...customsByPaperOnly(request, carrier, sender.address.countryCode ?? ''),
    ...noDangerousGoods(request, carrier),
  ];
}

function senderProblems({ sender }: BookingRequest): readonly Problem[] {
  const { phone, email } = partyTexts(sender, FIELDS);
  const text =
    'HomeRunner needs a telephone number and an e-mail address of the sender: add them to the seller or the area.';
  return inWords(text, when(phone.sent === '' || email.sent === '', 'sender-phone'));
}
