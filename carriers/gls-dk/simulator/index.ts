import countries from 'i18n-iso-countries';
import type { SimulatedBooking, Simulator, SimulatorSettings } from '../../contract/index.js';
import { listAt, numberAt, textAt } from '../../toolkit/json.js';
import type { SimulatedLabel } from '../../toolkit/simulator/label.js';
import { LABEL_100_BY_150, drawLabels } from '../../toolkit/simulator/label.js';
import { numberSeries, simulatorApp } from '../../toolkit/simulator/server.js';
import { said } from '../../toolkit/text.js';
import { complaintsAbout } from './rules.js';
import { inGlsSpelling } from './spelling.js';
import { addGlsTracking } from './tracking.js';

/** `CreateShipment` of GLS Denmark over real HTTP; it knows every account whose password is not `wrong`. */
export function startGlsDkSimulator(settings: SimulatorSettings): Simulator {
  const books: SimulatedBooking[] = [];
  const nextConsignment = numberSeries({ prefix: '9990000001T', length: 18 });
  const nextParcel = numberSeries({ prefix: '9', length: 11 });
  const app = simulatorApp();
  app.post('/CreateShipment', async (request, response) => {
    const shipment = inGlsSpelling(request.body);
    const state = complaintsAbout(shipment);
    if (Object.keys(state).length > 0) {
      response.status(400).json({ Message: 'The request is invalid.', ModelState: state });
      return;
    }
    const trackingNumbers = listAt(shipment, 'Parcels').map(() => nextParcel());
    const carrierNumber = nextConsignment();
    const reference = textAt(shipment, 'Reference') ?? '';
    books.push({ reference, carrierNumber, trackingNumbers, state: 'booked' });
    settings.journeys?.begin({ reference, trackingNumbers });
    const pdf = await drawLabels(labelsOf(shipment, trackingNumbers), LABEL_100_BY_150);
    response.json({
      ConsignmentId: carrierNumber,
      PDF: Buffer.from(pdf).toString('base64'),
      Parcels: trackingNumbers.map((number) => ({ UniqueNumber: `U${number}`, ParcelNumber: number })),
    });
  });
  addGlsTracking(app, settings);
  return { carrier: 'gls-dk', handle: app, bookings: () => [...books] };
}

function labelsOf(shipment: unknown, trackingNumbers: readonly string[]): readonly SimulatedLabel[] {
  return trackingNumbers.map((trackingNumber, index) => ({
    carrierName: 'GLS',
    service: serviceLine(shipment),
    trackingNumber,
    reference: textAt(shipment, 'Parcels', index, 'Reference') ?? textAt(shipment, 'Reference') ?? '',
    sender: addressLines(shipment, 'AlternativeShipper'),
    recipient: addressLines(shipment, 'Delivery'),
    weightGrams: Math.round((numberAt(shipment, 'Parcels', index, 'Weight') ?? 0) * 1000),
  }));
}

function serviceLine(shipment: unknown): string {
  const keys = ['ShopDelivery', 'DirectShop', 'PrivateDelivery', 'FlexDelivery', 'Deposit', 'Express10', 'Express12'];
  const asked = keys.filter((key) => textAt(shipment, 'Services', key) !== null);
  return asked.map((key) => `${key} ${textAt(shipment, 'Services', key)}`).join(', ') || 'BusinessParcel';
}

function addressLines(shipment: unknown, role: string): readonly string[] {
  const field = (name: string): string | null => textAt(shipment, 'Addresses', role, name);
  const place = said(field('ZipCode'), field('City')).join(' ');
  const country = countries.numericToAlpha2(field('CountryNum') ?? '');
  return said(field('Name1'), field('Name2'), field('Street1'), field('Name3'), place, country);
}
