import { closestMatch } from 'leven';
import type { BookingRequest, CarrierService, OwnTexts, Problem } from '../contract/index.js';
import { valueAt } from '../toolkit/json.js';
import { optionValue, whenOwn } from '../toolkit/preflight.js';

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

/** `customs: papers` is for every carrier. */
const OPTIONS = { requireSignature: FLAG, additionalServices: OBJECT, customs: { allowed: '', isFine: () => true } };

/** By Budbee's own names. */
const ADDITIONAL_SERVICES: Readonly<Record<string, Option>> = {
  identificationCheckRequired: FLAG,
  recipientMinimumAge: COUNT,
  recipientMustMatchEndCustomer: FLAG,
  numberOfMissRetries: COUNT,
  fraudDetection: FLAG,
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
export function optionProblems({ options }: BookingRequest): readonly Problem[] {
  const { additionalServices = {} } = options;
  const named = OBJECT.isFine(additionalServices) ? additionalServices : {};
  return [...problemsIn(options, OPTIONS), ...problemsIn(named, ADDITIONAL_SERVICES)];
}

function problemsIn(given: unknown, options: Readonly<Record<string, Option>>): readonly Problem[] {
  const known = Object.keys(options);
  return Object.keys(given ?? {}).flatMap((option) => {
    const [value, asked] = [valueAt(given, option), known.includes(option) ? options[option] : undefined];
    if (asked !== undefined) return optionValue(!asked.isFine(value), option, { given: value, allowed: asked.allowed });
    const meant = closestMatch(option, known, { maxDistance: FURTHEST_NAME }) ?? known.join(', ');
    return whenOwn(OPTION_TEXTS.en, true, { code: 'unknown-option', values: { option, meant } });
  });
}
