import type { FaultMatch } from '../../src/sandbox/faults/faults.js';

/**
 * What happens around a call:
 * `booking`: a shipment is booked; `refused`: the carrier refuses it, so that a message goes out; `lost`: the answer to
 * the booking is lost, so that the carrier is asked; `cancelled`: it is booked, then its document is cancelled;
 * `without sender`: the shipment does not say who sends it; `without seller`: it names its seller and no more; `to a point`: it
 * goes to a pick-up point that it names; `to the nearest point`: to one that it does not name.
 */
export type Story =
  | 'booking'
  | 'refused'
  | 'lost'
  | 'cancelled'
  | 'without sender'
  | 'without seller'
  | 'to a point'
  | 'to the nearest point';

export interface Call {
  /** Folder in `carriers/` of the carrier that is booked with. */
  readonly carrier: string;
  /** Whom the call goes to. */
  readonly to: 'token' | 'ims' | 'carrier';
  readonly method: string;
  /** As in `FaultMatch`. */
  readonly path: string;
  /** Requests of the same method and path that come before it. */
  readonly after?: number;
  readonly story: Story;
}

const ims = { carrier: 'pretend', to: 'ims', story: 'booking' } as const;
const pretend = { carrier: 'pretend', to: 'carrier', story: 'booking' } as const;
const bring = { carrier: 'bring', to: 'carrier', story: 'booking' } as const;
const dao = { carrier: 'dao', to: 'carrier', story: 'booking', method: 'GET' } as const;
const postnord = { carrier: 'postnord', to: 'carrier', story: 'booking' } as const;
const budbee = { carrier: 'budbee', to: 'carrier', story: 'booking' } as const;
const fragt = { carrier: 'danske-fragtmaend', to: 'carrier', story: 'booking' } as const;
const homerunner = { carrier: 'homerunner', to: 'carrier', story: 'booking' } as const;
const webshipper = { carrier: 'webshipper', to: 'carrier', story: 'booking' } as const;
const nshift = { carrier: 'nshift', to: 'carrier', story: 'booking' } as const;
const shipmondo = { carrier: 'shipmondo', to: 'carrier', story: 'booking' } as const;

/** Every call that a booking makes, by the name it has in the table. */
export const calls = {
  token: { carrier: 'pretend', to: 'token', story: 'booking', method: 'POST', path: '/token$' },
  'set ON_GOING': { ...ims, method: 'PATCH', path: '^/documents/\\d+$' },
  'load shipment': { ...ims, method: 'GET', path: '^/shipments/\\d+$' },
  'load context': { ...ims, method: 'GET', path: '^/contexts/', story: 'without sender' },
  'load seller': { ...ims, method: 'GET', path: '^/sellers/', story: 'without seller' },
  'list carriers': { ...ims, carrier: 'bring', method: 'GET', path: '^/carriers$' },
  'patch container': { ...ims, method: 'PATCH', path: '^/shippingContainers/' },
  'patch shipment': { ...ims, method: 'PATCH', path: '^/shipments/' },
  attach: { ...ims, method: 'POST', path: '/attachments$' },
  print: { ...ims, method: 'POST', path: '/printResource$' },
  'set DONE': { ...ims, method: 'PATCH', path: '^/documents/\\d+$', after: 1 },
  message: { ...ims, method: 'POST', path: '/messages$', story: 'refused' },
  'pretend book': { ...pretend, method: 'POST', path: '^/bookings$' },
  'pretend find': { ...pretend, method: 'GET', path: '^/bookings$', story: 'lost' },
  'pretend label': { ...pretend, method: 'GET', path: '/labels$' },
  'pretend cancel': { ...pretend, method: 'DELETE', path: '^/bookings/', story: 'cancelled' },
  'bring book': { ...bring, method: 'POST', path: '/booking$' },
  'bring find': { ...bring, method: 'GET', path: '/tracking\\.json$', story: 'lost' },
  'bring label': { ...bring, method: 'GET', path: '^/labels/storage/' },
  'gls-dk book': { carrier: 'gls-dk', to: 'carrier', story: 'booking', method: 'POST', path: '/CreateShipment$' },
  'dao book': { ...dao, path: 'leveringsordre' },
  'dao label': { ...dao, path: 'HentLabel' },
  'dao cancel': { ...dao, path: 'AnnullerePakke', story: 'cancelled' },
  'postnord point': { ...postnord, method: 'GET', path: '/servicepoints/ids$', story: 'to a point' },
  'postnord book': { ...postnord, method: 'POST', path: '/edi/labels/pdf$' },
  'postnord find': { ...postnord, method: 'GET', path: '/reference/', story: 'lost' },
  'postnord label': { ...postnord, method: 'POST', path: '/labels/ids/pdf$', story: 'lost' },
  'budbee served': { ...budbee, method: 'GET', path: '^/postalcodes/validate/' },
  'budbee book': { ...budbee, method: 'POST', path: '/multiple/orders$' },
  'budbee find': { ...budbee, method: 'GET', path: '/multiple/orders$', story: 'lost' },
  'budbee label': { ...budbee, method: 'GET', path: '/label$' },
  'budbee cancel': { ...budbee, method: 'DELETE', path: '/multiple/orders/', story: 'cancelled' },
  'fragt token': { ...fragt, method: 'POST', path: '/oauth2/token$' },
  'fragt book': { ...fragt, method: 'POST', path: '/Consignments$' },
  'fragt find': { ...fragt, method: 'GET', path: '/ByDate$', story: 'lost' },
  'fragt label': { ...fragt, method: 'GET', path: '/GetLabelForPrint$' },
  'homerunner point': { ...homerunner, method: 'GET', path: '^/v3/servicepoints/', story: 'to the nearest point' },
  'homerunner book': { ...homerunner, method: 'POST', path: '/v3/shipments$' },
  'homerunner label': { ...homerunner, method: 'GET', path: '/label$' },
  'webshipper point': { ...webshipper, method: 'POST', path: '/drop_point_locators$', story: 'to a point' },
  'webshipper book': { ...webshipper, method: 'POST', path: '/v2/shipments$' },
  'webshipper find': { ...webshipper, method: 'GET', path: '/v2/shipments$', story: 'lost' },
  'webshipper label': { ...webshipper, method: 'GET', path: '/labels$' },
  'shipmondo book': { ...shipmondo, method: 'POST', path: '^/shipments$' },
  'shipmondo find': { ...shipmondo, method: 'GET', path: '^/shipments$', story: 'lost' },
  'shipmondo label': { ...shipmondo, method: 'GET', path: '/labels$', story: 'lost' },
  'shipmondo cancel': { ...shipmondo, method: 'PUT', path: '/cancel$', story: 'cancelled' },
  'nshift book': { ...nshift, method: 'POST', path: '^/shipments$' },
  'nshift cancel': { ...nshift, method: 'DELETE', path: '^/shipments/', story: 'cancelled' },
} as const satisfies Readonly<Record<string, Call>>;

export type CallName = keyof typeof calls;

export const callNames = Object.keys(calls) as readonly CallName[];

/** The table's row, under its general type. */
export function callOf(name: CallName): Call {
  return calls[name];
}

/** What the fault of a cell looks for, in the sandbox's words. */
export function matchOf(call: Call, place: { readonly area: number; readonly carrier: string }): FaultMatch {
  const { method, path, after = 0 } = call;
  const target = call.to === 'carrier' ? place.carrier : call.to;
  return { target, method, path, after, ...(call.to === 'ims' ? { area: place.area } : {}) };
}
