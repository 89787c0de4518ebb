import type { SampleShipment } from '../../sandbox/control/sample-shipments.js';
import { sampleShipments } from '../../sandbox/control/sample-shipments.js';

/** How a story ends in the IMS. A story that ends before packing books nothing. */
export type StoryEnding = 'labelled' | 'refused' | 'cancelled' | 'carrier-set' | 'warned';

export interface Story {
  readonly title: string;
  readonly area: 1 | 2;
  readonly sample: SampleShipment;
  /** Replace fields of the sample. */
  readonly changes: Readonly<Record<string, string>>;
  readonly ending: StoryEnding;
  /** The fault of the story. */
  readonly twist?: 'killed' | 'cancelled';
  /** The journey of its parcels. */
  readonly journey?: 'delivered' | 'returned';
}

const { oneParcel, threeParcels, toPickUpPoint, toSweden, toGermany, withoutPostalCode } = sampleShipments;

const withoutWeight: SampleShipment = { ...oneParcel, containers: [{ containerTypeName: 'Box' }] };

/** Nothing is packed yet. */
function notPacked({ shipment }: SampleShipment, deliveryAddress: object = {}): SampleShipment {
  const address = { ...Object(shipment['deliveryAddress']), ...deliveryAddress };
  return { shipment: { ...shipment, deliveryAddress: address }, containers: [] };
}

/** One story for each promise. */
export const stories: readonly Story[] = [
  {
    title: 'before packing: a rule chooses the carrier',
    area: 1,
    sample: notPacked(oneParcel),
    changes: { shipmentNumber: '10901' },
    ending: 'carrier-set',
  },
  {
    title: 'before packing: the carrier would refuse it',
    area: 1,
    sample: notPacked(withoutPostalCode),
    changes: { shipmentNumber: '10902', carrierName: 'GLS' },
    ending: 'warned',
  },
  {
    title: 'before packing: no rule fits',
    area: 2,
    sample: notPacked(toGermany, { countryCode: 'US', postalCode: '20500' }),
    changes: { shipmentNumber: '20903' },
    ending: 'warned',
  },
  { title: 'one parcel', area: 1, sample: oneParcel, changes: { carrierName: 'GLS' }, ending: 'labelled' },
  {
    title: 'three parcels, booked one by one',
    area: 1,
    sample: threeParcels,
    changes: { carrierName: 'DAO' },
    ending: 'labelled',
  },
  { title: 'to a pick-up point', area: 1, sample: toPickUpPoint, changes: { carrierName: 'GLS' }, ending: 'labelled' },
  {
    title: 'to Sweden',
    area: 1,
    sample: toSweden,
    changes: { carrierName: 'Bring' },
    ending: 'labelled',
    journey: 'delivered',
  },
  {
    title: 'to Germany, carrier chosen by rule',
    area: 2,
    sample: toGermany,
    changes: { shipmentNumber: '20045' },
    ending: 'labelled',
  },
  {
    title: 'the carrier refuses the address',
    area: 1,
    sample: withoutPostalCode,
    changes: { carrierName: 'GLS' },
    ending: 'refused',
  },
  {
    title: 'a parcel without weight',
    area: 2,
    sample: withoutWeight,
    changes: { shipmentNumber: '20046', carrierName: 'GLS' },
    ending: 'refused',
  },
  {
    title: 'the carrier is down twice',
    area: 1,
    sample: oneParcel,
    changes: { carrierName: 'Pretend', termsOfDelivery: 'down:2' },
    ending: 'labelled',
    journey: 'returned',
  },
  {
    title: 'the answer is lost, then found',
    area: 1,
    sample: threeParcels,
    changes: { carrierName: 'Pretend', termsOfDelivery: 'lost:1' },
    ending: 'labelled',
    journey: 'delivered',
  },
  {
    title: 'booked, then the worker cancels',
    area: 1,
    sample: oneParcel,
    changes: { carrierName: 'DAO' },
    ending: 'cancelled',
    twist: 'cancelled',
  },
  {
    title: 'the service is killed after booking',
    area: 1,
    sample: threeParcels,
    changes: { carrierName: 'Pretend' },
    ending: 'labelled',
    twist: 'killed',
  },
];

/** One parcel with each carrier that no other story names. */
export function storiesOfOthers(carrierNames: readonly string[]): readonly Story[] {
  const named = stories.map(({ changes }) => changes['carrierName']);
  const about = { area: 1, sample: oneParcel, ending: 'labelled' } as const;
  return carrierNames
    .filter((name) => !named.includes(name))
    .map((carrierName) => ({ ...about, title: `one parcel with ${carrierName}`, changes: { carrierName } }));
}
