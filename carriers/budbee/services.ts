import { closestMatch } from 'leven';
import type { BookingRequest, CarrierService, OwnTexts, Problem, RuleProduct } from '../contract/index.js';
import { optionValue, unknownService, whenOwn } from '../toolkit/preflight.js';

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

export const OPTION_TEXTS = {
  en: {
    'unknown-option':
      'The rule has an option "{option}", which Budbee does not know; meant is perhaps {meant}: mend it in the settings.',
  },
  da: {
    'unknown-option':
      'Reglen har en option "{option}", som Budbee ikke kender; der menes måske {meant}: ret den i indstillingerne.',
  },
} satisfies OwnTexts;

/** A misspelt option would silently buy another service. */
export function productProblems({ service, options }: RuleProduct): readonly Problem[] {
  const { additionalServices } = options;
  const within = OBJECT.isFine(additionalServices) ? Object.entries(additionalServices ?? {}) : [];
  const given = [
    ...Object.entries(options),
    ...within.map(([name, value]) => [`additionalServices.${name}`, value] as const),
  ];
  return [
    ...unknownService(service, { carrier: 'Budbee', known: SERVICES.map(({ code }) => code) }),
    ...given.flatMap(([option, value]) => optionProblems(option, value)),
  ];
}

function optionProblems(option: string, given: unknown): readonly Problem[] {
  const known = new Map(Object.entries(OPTIONS));
  const asked = known.get(option);
  if (asked !== undefined) return optionValue(!asked.isFine(given), option, { given, allowed: asked.allowed });
  const lastOf = (path: string) => path.split('.').at(-1) ?? '';
  const paths = [...known.keys()];
  const nearest = closestMatch(lastOf(option), paths.map(lastOf), { maxDistance: FURTHEST_NAME });
  const meant = paths.find((path) => lastOf(path) === nearest) ?? paths.join(', ');
  return whenOwn(OPTION_TEXTS.en, true, { code: 'unknown-option', values: { option, meant } });
}
