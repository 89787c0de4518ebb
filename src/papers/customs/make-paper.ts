import type { BookingRequest, CustomsNumbers, Goods } from '../../../carriers/contract/model.js';
import { numbersFor } from '../../../carriers/toolkit/checks/cn22.js';
import { exactText, times, amountText, toUnits } from './amounts.js';
import type { CustomsPaper, PaperKind, PaperLine } from './customs-paper.js';

export interface Shipped {
  /** The requests of all booked parts. */
  readonly requests: readonly [BookingRequest, ...BookingRequest[]];
  readonly trackingNumbers: readonly string[];
  readonly carrierName: string;
  readonly numbers: CustomsNumbers;
}

/**
 * A paper from what was booked.
 * @throws Error a line lacks what every paper says; `paperProblems` finds that before the booking
 */
export function makePaper(kind: PaperKind, { requests, trackingNumbers, carrierName, numbers }: Shipped): CustomsPaper {
  const [first] = requests;
  const { sender, recipient, shipmentNumber, shipDate, incoterms, goods = [] } = first;
  const parcels = requests.flatMap((request) => request.parcels);
  const lines = goods.map(toLine);
  const [currency] = goods.map((one) => required(one.currency, 'currency'));
  return {
    ...{ kind, number: shipmentNumber, date: shipDate, sender, recipient, carrierName, trackingNumbers, incoterms },
    ...{ currency: required(currency ?? null, 'currency'), lines, parcels: parcels.length },
    numbers: numbersFor(numbers, first),
    totalValue: amountText(lines.reduce((sum, { value }) => sum + toUnits(value), 0n)),
    grossWeightGrams: parcels.reduce((sum, { weightGrams }) => sum + weightGrams, 0),
  };
}

function toLine(goods: Goods): PaperLine {
  const { quantity } = goods;
  const unitValue = toUnits(required(goods.unitValue, 'value'));
  return {
    description: required(goods.description, 'description'),
    quantity,
    unitValue: exactText(unitValue),
    value: amountText(times(unitValue, quantity)),
    weightGrams: Math.round(required(goods.unitWeightGrams, 'weight') * quantity),
    tariffNumber: required(goods.tariffNumberAtDestination, 'tariff number'),
    origin: required(goods.countryOfOrigin, 'country of origin'),
  };
}

function required<Value>(value: Value | null, field: string): Value {
  if (value === null) throw new Error(`a line of the goods has no ${field}`);
  return value;
}
