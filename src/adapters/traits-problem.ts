import {
  CONFIDENCE_LEVELS,
  type CarrierAdapter,
  LABEL_FORMATS,
  PAPER_FORMS,
  type LabelForm,
  type Traits,
  isJsonObject,
} from '../../carriers/contract/index.js';
import { isAtLeast, isText } from './unchecked.js';

const REPEATED = ['returns-first', 'refused', 'books-again'];
/** The longest side of a label, and the finest printer: more is a mistake of units. */
const MAX_SIDE_MM = 1_000;
const MAX_DPI = 2_400;

/** What is wrong with the traits of a plug-in, all of it, to be read after the plug-in's name; `null`: nothing. */
export function traitsProblem({ traits }: CarrierAdapter): string | null {
  if (!isJsonObject(traits)) return 'has no traits';
  const wrong = [
    ...limitProblems(traits),
    ...optionalProblems(traits),
    ...labelProblems(traits),
    ...serviceProblems(traits),
    ...sureness(traits),
  ];
  return wrong.length === 0 ? null : `has traits that are missing or wrong: ${wrong.join('; ')}`;
}

function limitProblems({ repeatedBooking, bookingVisibleAfterMs, maxParcels, maxReferenceLength }: Traits) {
  return [
    ...(REPEATED.includes(repeatedBooking) ? [] : [`repeatedBooking (${REPEATED.join(', ')})`]),
    ...(isAtLeast(bookingVisibleAfterMs, 0) ? [] : ['bookingVisibleAfterMs (milliseconds)']),
    ...(isCount(maxParcels) ? [] : ['maxParcels (a whole number from 1 on)']),
    ...(isCount(maxReferenceLength) ? [] : ['maxReferenceLength (characters, a whole number from 1 on)']),
  ];
}

/** What may be missing; what is wrong would break a booking, or end a doubt too early. */
function optionalProblems(traits: Traits): readonly string[] {
  const { api, bookingEndsWithinMs, nothingBookedAfter, trackingNumberPattern, trackAtOnce, trackCallsPerDay } = traits;
  const { customsPapers, takesReturnAddress } = traits;
  const checks: readonly (readonly [unknown, (given: unknown) => boolean, string])[] = [
    [api, (given) => given === 'none', 'api (none, or missing)'],
    [bookingEndsWithinMs, (given) => isAtLeast(given, 0), 'bookingEndsWithinMs (milliseconds)'],
    [nothingBookedAfter, (given) => typeof given === 'function', 'nothingBookedAfter (a function of an answer)'],
    [trackingNumberPattern, isPlainPattern, 'trackingNumberPattern (a regular expression without the flags g and y)'],
    [takesReturnAddress, (given) => given === true, 'takesReturnAddress (true, or missing)'],
    [trackAtOnce, isCount, 'trackAtOnce (a whole number from 1 on)'],
    [trackCallsPerDay, isCount, 'trackCallsPerDay (a whole number from 1 on)'],
    [
      customsPapers,
      isPapers,
      `customsPapers ({ form: ${PAPER_FORMS.join(' or ')}, from?: a country, postalServices?: codes, declares?: a function })`,
    ],
  ];
  return checks.flatMap(([given, isFine, problem]) => (given === undefined || isFine(given) ? [] : [problem]));
}

function isPapers(given: unknown): boolean {
  if (!isJsonObject(given)) return false;
  const { form, from, postalServices = [], declares = isPapers } = given;
  const isFrom = from === undefined || /^[A-Z]{2}$/.test(String(from));
  return (
    PAPER_FORMS.some((known) => known === form) && isFrom && isTexts(postalServices) && typeof declares === 'function'
  );
}

function isTexts(given: unknown): boolean {
  return Array.isArray(given) && given.every(isText);
}

function isCount(given: unknown): boolean {
  return isAtLeast(given, 1) && Number.isInteger(given);
}

/** Refuses the flags `g` and `y`: with them an expression judges the same number otherwise the next time. */
function isPlainPattern(given: unknown): boolean {
  return given instanceof RegExp && !given.global && !given.sticky;
}

function labelProblems({ labels, services }: Traits): readonly string[] {
  if (!Array.isArray(labels) || !labels.some((form) => isJsonObject(form) && form['format'] === 'pdf'))
    return ["labels (a list with at least { format: 'pdf' })"];
  const codes = Array.isArray(services)
    ? services.map((service) => (isJsonObject(service) ? service['code'] : null))
    : null;
  return labels.flatMap((form: unknown, index) => {
    const problem = isJsonObject(form) ? formProblem(form as unknown as LabelForm, codes) : 'an object';
    return problem === null ? [] : [`labels[${index}] (${problem})`];
  });
}

/** @param codes of the services that are stated; `null`: none are */
function formProblem(form: LabelForm, codes: readonly unknown[] | null): string | null {
  const { format, dpi, services } = form;
  if (!LABEL_FORMATS.includes(format)) return `format: ${LABEL_FORMATS.join(', ')}`;
  if (!isSize(form)) return `widthMm and heightMm: both or none, 1 to ${MAX_SIDE_MM} millimetres`;
  if (!isBetween(dpi ?? 1, MAX_DPI)) return `dpi: 1 to ${MAX_DPI} dots per inch`;
  if (services === undefined) return null;
  if (!Array.isArray(services) || services.length === 0 || !services.every(isText)) return 'services: a list of codes';
  const unknown = services.filter((code) => codes?.includes(code) === false);
  return unknown.length === 0 ? null : `services: ${unknown.join(', ')} not among the services`;
}

function isSize({ widthMm, heightMm }: LabelForm): boolean {
  if (widthMm === undefined && heightMm === undefined) return true;
  return [widthMm, heightMm].every((side) => isBetween(side, MAX_SIDE_MM));
}

function isBetween(value: unknown, most: number): boolean {
  return isAtLeast(value, 1) && value <= most;
}

function serviceProblems({ services }: Traits): readonly string[] {
  if (services === undefined) return [];
  const isService = (service: unknown) => isJsonObject(service) && isText(service['code']) && isText(service['name']);
  if (!Array.isArray(services) || !services.every(isService)) return ['services (a list of { code, name })'];
  const codes = services.map(({ code }) => code);
  const twice = codes.filter((code, index) => codes.indexOf(code) !== index);
  return twice.length === 0 ? [] : [`services (${twice.join(', ')} more than once)`];
}

function sureness({ confidence }: Traits): readonly string[] {
  if (confidence === undefined) return [];
  const { source, level, assumed } = isJsonObject(confidence) ? confidence : {};
  return [
    ...(isText(source) ? [] : ['confidence.source (a text)']),
    ...(CONFIDENCE_LEVELS.some((known) => known === level)
      ? []
      : [`confidence.level (${CONFIDENCE_LEVELS.join(', ')})`]),
    ...(Array.isArray(assumed) && assumed.every(isText)
      ? []
      : ['confidence.assumed (a list of texts, which may be empty)']),
  ];
}
