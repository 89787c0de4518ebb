import {
  type BookingRequest,
  type CarrierService,
  type Problem,
  type RuleProduct,
  nearestWord,
} from '../contract/index.js';
import { optionValue, unknownService, whenOwn } from '../toolkit/preflight.js';
import { TEXTS } from './texts.js';

/** Our word: Budbee has no product code for it. */
export const HOME = 'home';
export const BOX = 'DLVBOX';

export const SERVICES: readonly CarrierService[] = [
  { code: HOME, name: 'Home delivery' },
  { code: BOX, name: 'Box delivery: to the locker that the shipment names' },
];

/** The service that a rule names counts before what the shipment says. */
export function isBox({ service, deliverToPickUpPoint }: BookingRequest): boolean {
  return service === null ? deliverToPickUpPoint : service === BOX;
}

interface Option {
  readonly allowed: string;
  isFine(value: unknown): boolean;
}

const FLAG: Option = { allowed: 'true or false', isFine: (value) => typeof value === 'boolean' };
const COUNT: Option = { allowed: 'a whole number', isFine: (value) => Number.isInteger(value) && Number(value) >= 0 };
const OBJECT: Option = {
  allowed: '{ identificationCheckRequired: true }',
  isFine: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

/** By Budbee's own names; `customs: papers` is for every carrier. */
const OPTIONS: Readonly<Record<string, Option>> = {
  requireSignature: FLAG,
  additionalServices: OBJECT,
  'additionalServices.identificationCheckRequired': FLAG,
  'additionalServices.recipientMinimumAge': COUNT,
  'additionalServices.recipientMustMatchEndCustomer': FLAG,
  'additionalServices.numberOfMissRetries': COUNT,
  'additionalServices.fraudDetection': FLAG,
  customs: { allowed: 'papers', isFine: () => true },
};

const FURTHEST_NAME = 5;

/** A misspelt option would silently buy another service. */
export function productProblems({ service, options }: RuleProduct): readonly Problem[] {
  const { additionalServices } = options;
  const within = OBJECT.isFine(additionalServices) ? Object.entries(additionalServices ?? {}) : [];
  return [
    ...unknownService(service, { carrier: 'Budbee', known: SERVICES.map(({ code }) => code) }),
    ...Object.entries(options).flatMap(([name, value]) => optionProblems(name, value)),
    ...within.flatMap(([name, value]) => optionProblems(`additionalServices.${name}`, value)),
  ];
}

function optionProblems(option: string, given: unknown): readonly Problem[] {
  const known = new Map(Object.entries(OPTIONS));
  const asked = known.get(option);
  if (asked !== undefined) return optionValue(!asked.isFine(given), option, { given, allowed: asked.allowed });
  const lastOf = (path: string) => path.split('.').at(-1) ?? '';
  const paths = [...known.keys()];
  const nearest = nearestWord(lastOf(option), paths.map(lastOf), FURTHEST_NAME);
  const meant = paths.find((path) => lastOf(path) === nearest) ?? paths.join(', ');
  return whenOwn(TEXTS.en, true, { code: 'unknown-option', values: { option, meant } });
}
