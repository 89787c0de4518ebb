import type { BookingRequest, BookingWithLabels, LabelTemplate, LabelValues, Tools } from '../contract/index.js';
import { CarrierRejected, CarrierUnavailable, NumbersUsedUp } from '../contract/index.js';
import { gsin, lastSerial, sscc } from '../toolkit/gs1/numbers.js';
import { refuseFor } from '../toolkit/preflight.js';
import { checkForOwnFleet } from './check.js';
import type { OwnFleetConfig } from './config.js';
import { type Numbered, labelsOf, routeOf } from './label.js';

/** The key of the shipment's number among those of its booking; parcels have their ids. */
const WHOLE = 'shipment';

/**
 * Takes the numbers, then draws the labels. Nothing leaves before the answer is stored, and the same request gets the same numbers
 * again, so a booking can be repeated whatever happened to the first.
 */
export async function bookOwnFleet(
  request: BookingRequest,
  {
    config,
    tools,
    template,
  }: { readonly config: OwnFleetConfig; readonly tools: Tools; readonly template: LabelTemplate },
): Promise<BookingWithLabels> {
  refuseFor(checkForOwnFleet(request).filter(({ severity }) => severity !== 'warns'));
  const numbered = await numbersFor(request, { config, tools, template });
  const labels = [{ format: 'pdf', bytes: await drawn(tools, template, labelsOf(request, numbered)) }] as const;
  const parcels = request.parcels.map(({ id }, index) => {
    return { kind: 'booked', parcelId: id, trackingNumber: numbered.ssccs[index] ?? '', trackingUrl: null } as const;
  });
  return { booking: { carrierNumber: numbered.gsin, parcels, labelSource: null, route: routeOf(request) }, labels };
}

async function numbersFor(
  { reference, parcels }: BookingRequest,
  {
    config,
    tools,
    template,
  }: { readonly config: OwnFleetConfig; readonly tools: Tools; readonly template: LabelTemplate },
): Promise<Numbered> {
  const { companyPrefix, extensionDigit, firstSerial } = config;
  const limits = { reference, from: firstSerial, to: lastSerial(companyPrefix) };
  const take = (series: string, keys: readonly string[]) =>
    tools.numbers.take({ ...limits, series, keys }).catch((error: unknown) => refuseUsedUp(error, config));
  const ids = parcels.map(({ id }) => id);
  const serials = await take(`sscc ${extensionDigit} ${companyPrefix}`, ids);
  const isNumbered = template.items.some((item) => item.kind === 'barcode' && item.elements.includes('402'));
  const [shipment] = isNumbered ? await take(`gsin ${companyPrefix}`, [WHOLE]) : [];
  return {
    companyPrefix,
    ssccs: serials.map((serial) => sscc(extensionDigit, companyPrefix, serial)),
    gsin: shipment === undefined ? null : gsin(companyPrefix, shipment),
  };
}

/** Refuses the account's settings: booking again cannot help. */
function refuseUsedUp(error: unknown, { companyPrefix, extensionDigit }: OwnFleetConfig): never {
  if (!(error instanceof NumbersUsedUp)) throw error;
  const text = `The serial numbers of company prefix ${companyPrefix} with extension digit ${extensionDigit} are used up: set another extensionDigit of the account.`;
  throw new CarrierRejected([{ code: 'numbers-used-up', text, parcelId: null }], 'credentials');
}

async function drawn(tools: Tools, template: LabelTemplate, labels: readonly LabelValues[]): Promise<Uint8Array> {
  try {
    return await tools.labels.draw(template, labels);
  } catch (cause) {
    // Certainly no booking, because there is no label: it is tried again, then told.
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CarrierUnavailable(`the label could not be drawn: ${reason}`, null, { cause });
  }
}
