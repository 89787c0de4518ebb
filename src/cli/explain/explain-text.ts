import type { DerivedFact, ExplainedInstructions, ShipmentExplanation } from '../../operator/explain.js';
import type { ExplainedPrinting } from '../../operator/explain-printing.js';
import { targetInWords } from '../../printing/profile.js';
import type { Missing } from '../../routing/facts/derived-fields.js';
import type { HttpRequest } from '../../../carriers/contract/http-port.js';

export const EXPLAIN_EXAMPLES = `
For an id it asks the service, which must be running, at PUBLIC_URL or --url, and shows it OPERATOR_TOKEN. For a file
nothing is asked and nothing is sent.

Examples:
  waybridge explain 10000015
  waybridge explain 10000015 --area 550 --json
  waybridge explain 10000015 --device Packing-3
  waybridge explain shipment.json
`;

/** For a terminal. */
export function explanationLines(found: ShipmentExplanation): readonly string[] {
  return [
    ...heading(found),
    ...section('shipment', fieldLines(found.fields)),
    ...section('what rules can ask besides', found.derived.map(derivedLine)),
    ...section('rules', found.rules.flatMap(ruleLines)),
    ...section('choice', choiceLines(found)),
    ...section('instructions in the IMS', found.instructions ? instructionLines(found.instructions) : []),
    ...section('printing', found.printing ? printingLines(found.printing) : []),
    ...section('request', found.requests.flatMap(requestLines)),
    ...section(
      'problems',
      found.problems.map(({ code, text }) => `${text}${code === null ? '' : ` (${code})`}`),
    ),
    ...section('texts that the carrier gets otherwise', found.textChanges.map(textChangeLine)),
    ...section('what the worker would be told', found.messages),
    '',
    'nothing was sent to a carrier, and nothing was changed',
  ];
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)];
}

const CHOSEN_BY = {
  none: 'none yet',
  theirs: 'chosen by another program or person, and kept',
  ours: 'set by us, and kept',
  open: 'set by us for the time being',
  removed: 'ours was taken away; one is chosen when the transport is booked',
} as const;

const MOMENTS = { 'before-packing': 'not packed yet', booking: 'packed, to be booked' } as const;

function heading({ shipmentNumber, shipmentId, area, at, moment, carrier }: ShipmentExplanation): readonly string[] {
  const { name, refused } = carrier;
  const inIms = name === null ? '' : `${name}, `;
  return [
    `shipment ${shipmentNumber} (id ${shipmentId}) in area ${area}, ${MOMENTS[moment]}, as of ${timeOf(at)}`,
    `carrier: ${inIms}${refused === null ? CHOSEN_BY[carrier.chosenBy] : notTaken(refused)}`,
  ];
}

function notTaken({ carrierName, because }: NonNullable<ShipmentExplanation['carrier']['refused']>): string {
  return `we chose ${carrierName}, but it could not be set in the IMS: ${because}`;
}

/** The service answers in JSON, where a time is a text. */
function timeOf(at: Date | string): string {
  return new Date(at).toISOString();
}

/** Each on a line of its own, with its path as rules name it. */
function fieldLines(value: Readonly<Record<string, unknown>>, path = ''): readonly string[] {
  return Object.entries(value).flatMap(([name, member]) => {
    if (member === null || member === undefined) return [];
    if (typeof member === 'object' && !Array.isArray(member))
      return fieldLines(member as Readonly<Record<string, unknown>>, `${path}${name}.`);
    return [`${path}${name}: ${JSON.stringify(member)}`];
  });
}

const WHY: Readonly<Record<Missing, string>> = {
  'not-packed': 'nothing is packed yet',
  'no-weight': 'a parcel has no weight',
  'no-volume': 'a parcel has neither sides nor a volume',
  'no-dimensions': 'the sides of a parcel are missing',
  'no-lines': 'the shipment has no lines',
  'no-price': 'a line has no price',
  'no-country': 'the delivery address has no country',
  'no-sender-country': 'neither the shipment nor the configuration says where it is sent from',
  'no-postal-code': 'the delivery address has no postal code',
  'not-numeric': 'the postal code is no number',
  'not-said': 'the shipment does not say',
  'not-read': 'what is packed was not read',
  'no-time': 'the time is not known',
  'no-event': 'only the event of a booking says it (--device, --user)',
};

function derivedLine({ name, value, unit, why }: DerivedFact): string {
  if (why !== null) return `${name}: not known: ${WHY[why]}`;
  return `${name}: ${JSON.stringify(value)}${unit === null ? '' : ` (${unit})`}`;
}

function ruleLines({ rule, ...verdict }: ShipmentExplanation['rules'][number]): readonly string[] {
  return verdictLines(rule, verdict);
}

type AnyVerdict = Pick<ShipmentExplanation['rules'][number], 'outcome' | 'reasons'>;

function verdictLines(name: string, { outcome, reasons }: AnyVerdict): readonly string[] {
  return [
    `${outcome.padEnd(13)}  ${name}`,
    ...reasons.map(({ field, condition, value, why }) => {
      const found = why === undefined ? JSON.stringify(value) : `not known: ${WHY[why]}`;
      return `${''.padEnd(13)}    ${field} ${condition}: found ${found}`;
    }),
  ];
}

function choiceLines({ choice, quotes }: ShipmentExplanation): readonly string[] {
  if (choice.kind === 'none') return ['none: the shipment names no carrier, and no rule matched'];
  if (choice.kind === 'unknown-carrier') return [`none: no account stands for the carrier ${choice.carrierName}`];
  const { account, carrierName, service, options, rule, provisional, undecided, keptSince } = choice;
  return [
    `account ${account} (${carrierName}), ${rule === null ? 'by the carrier on the shipment' : `by the rule "${rule}"`}`,
    `service ${service ?? 'as the shipment asks for'}${Object.keys(options).length > 0 ? `, options ${JSON.stringify(options)}` : ''}`,
    ...(keptSince === null
      ? []
      : [`kept: we chose it at ${timeOf(keptSince)}; the rules are shown as they were judged then`]),
    ...(provisional ? ['for the time being: it is chosen again when the transport is booked'] : []),
    ...(undecided.length > 0 ? [`cannot be judged yet: ${undecided.join(', ')}`] : []),
    ...(quotes
      ? [`the ${quotes.by} of ${quotes.accounts.join(', ')} is taken; no carrier was asked for a quote here`]
      : []),
  ];
}

function printingLines({ profile, use, ...how }: ExplainedPrinting): readonly string[] {
  const { target, copies, template, labelForm, provisional } = how;
  return [
    ...(target === null || profile === null
      ? ['labels as they come: no entry of printing.use matches']
      : [
          `profile ${profile}: ${target.format}, ${targetInWords(target)}, ${copies} ${copies === 1 ? 'copy' : 'copies'}`,
        ]),
    ...(template === null ? [] : [`template print-resource.${template}.json`]),
    ...(labelForm === null ? [] : [`the carrier is asked for ${JSON.stringify(labelForm)}`]),
    ...(provisional ? ['for the time being: the booking shows who books it, and where'] : []),
    ...use.flatMap((verdict) => verdictLines(verdict.profile, verdict)),
  ];
}

function instructionLines({ key, chosenFrom, tried, warnings }: ExplainedInstructions): readonly string[] {
  return [
    chosenFrom === null ? `${key}: none applies` : `${key}: one of the ${chosenFrom}'s applies`,
    ...tried.map(({ from, index, reasons }) => {
      const why = reasons.map(({ field, condition, value }) => `${field} ${condition}: found ${JSON.stringify(value)}`);
      return `${from} ${index}: does not fit: ${why.join('; ')}`;
    }),
    ...warnings.map(({ from, path, trouble }) => `${from}: ${path}: ${trouble}`),
  ];
}

function requestLines({ method, url, query, headers, json, form }: HttpRequest): readonly string[] {
  const asked = query
    ? `?${Object.entries(query)
        .map(([name, value]) => `${name}=${value}`)
        .join('&')}`
    : '';
  const body = json ?? form;
  return [
    `${method} ${url}${asked}`,
    ...Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : JSON.stringify(body, null, 2).split('\n')),
  ];
}

function textChangeLine({ field, given, sent, meaningLost }: ShipmentExplanation['textChanges'][number]): string {
  return `${field}: "${given}" becomes "${sent}"${meaningLost ? ', and a reader misses something' : ''}`;
}
