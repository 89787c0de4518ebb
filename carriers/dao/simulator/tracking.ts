import type { SimulatedEvent, TrackingStatus } from '../../contract/index.js';

/** The code for each status; DAO's for customs, pick-up points, losses and cancellations are not known. */
const CODES: Readonly<Record<TrackingStatus, string>> = {
  registered: '70',
  'handed-over': '10',
  'in-transit': '20',
  customs: '901',
  'out-for-delivery': '60',
  'at-pickup-point': '902',
  delivered: '30',
  'delivery-failed': '40',
  returned: '50',
  'lost-or-damaged': '903',
  cancelled: '904',
  unrecognised: '999',
};

/** As `TrackNTrace_v2.php` answers; times are those of Danish clocks. */
export function toDaoTracking(barcode: string, happened: readonly SimulatedEvent[]): unknown {
  return {
    stregkode: barcode,
    pakketype: 'direkte',
    eta: '',
    ekstern_tracking: '',
    haendelser: happened.map(toDaoEvent).reverse(),
  };
}

function toDaoEvent({ status, at, place }: SimulatedEvent): unknown {
  return {
    tidspunkt: at.toLocaleString('sv-SE', { timeZone: 'Europe/Copenhagen' }),
    haendelse: CODES[status],
    beskrivelse: `simulated: ${status}`,
    pakketype: 'direkte',
    sted: place,
    shopid: '',
  };
}
