import countries from 'i18n-iso-countries';
import { GLS_GROUP } from '../groups/gls/simulator.js';
import { elementsOf, valueAt } from '../toolkit/index.js';
import type {
  Asked,
  Breach,
  NewBooking,
  Reply,
  Route,
  RouteContext,
  Rule,
  RuleRow,
} from '../toolkit/simulator/index.js';
import { content, isFilled, isSent, isUpTo } from '../toolkit/simulator/index.js';
import { isWithin, json, matches, modelState, partyRows, pointRow, readBooking } from '../toolkit/simulator/index.js';
import { simulateCarrier, simulatedPoints, text, under } from '../toolkit/simulator/index.js';
import { HEAVIEST_GRAMS } from './check.js';
import { FIELDS, MAX_CHARACTERS } from './fields.js';
import { SHOP } from './pickup-points.js';
import { SERVICES } from './services.js';

/** `CreateShipment` of GLS Denmark, and beside it GLS Group's Track & Trace. It knows every account whose password is not `wrong`. */
export const startGlsDkSimulator = simulateCarrier({
  ...{ carrier: 'gls-dk', carrierName: 'GLS' },
  series: { booking: { prefix: '9990000001T', length: 18 }, parcel: { prefix: '9', length: 11 } },
  formsAt: GLS_GROUP.formsAt,
  routes: {
    ...GLS_GROUP.routes,
    'POST /CreateShipment': answerShipment,
    'GET /wsShopFinder.asmx/SearchNearestParcelShops': answerShops(({ street, zipcode, Amount }) =>
      street && zipcode ? { limit: Amount } : { limit: '0' },
    ),
    'GET /wsShopFinder.asmx/GetParcelShopsInZipcode': answerShops(() => ({})),
    'GET /wsShopFinder.asmx/GetOneParcelShop': answerShops(({ ParcelShopNumber: id = '-' }) => ({ id })),
  },
});

/** @param text what GLS says, with the name of the field for `{field}` */
const saying = (isMet: Rule['isMet'], text: string) => ({ isMet, text });
const upTo = (longest: number) =>
  saying(isUpTo(longest), `The field {field} must have a maximum length of ${longest}.`);

type Saying = ReturnType<typeof saying>;
type GlsRows = readonly RuleRow<Saying>[];

const NEEDED = saying(isFilled, 'The {field} field is required.');
const AMOUNT = saying((value) => typeof value === 'number' && value >= 0, 'The field {field} must be a number.');
const LOGIN = ['UserName', 'Password', 'Customerid', 'Contactid'];
const HEAVIEST_KG = HEAVIEST_GRAMS / 1000;

const addressRows = (role: string): GlsRows => [
  [NEEDED, ...under(role, 'Name1', 'Street1', 'CountryNum', 'ZipCode', 'City')],
  [saying(matches(/^(\d{3})?$/), 'The country must be an ISO 3166-1 numeric code.'), `${role}.CountryNum`],
  [upTo(MAX_CHARACTERS.postalCode), `${role}.ZipCode`],
  ...partyRows(role, FIELDS, ({ longest }) => upTo(longest)),
];

const RULES: GlsRows = [
  [NEEDED, ...LOGIN, 'ShipmentDate', 'Services', 'Parcels'],
  [upTo(20), ...LOGIN],
  [saying(matches(/^(?!wrong$)/), 'Invalid user name or password.'), 'Password'],
  [saying(matches(/^(\d{8})?$/), 'The date must be written YYYYMMDD.'), 'ShipmentDate'],
  [upTo(MAX_CHARACTERS.reference), 'Reference'],
  [upTo(MAX_CHARACTERS.shop), 'Services.ShopDelivery'],
  [upTo(FIELDS.Deposit.longest), 'Services.Deposit'],
  [upTo(FIELDS.Email.longest), 'Services.NotificationEmail'],
  ...under('Addresses', 'Delivery', 'AlternativeShipper?', 'Pickup?').flatMap(addressRows),
  [saying(isWithin(0, HEAVIEST_KG), `The weight must be between 0 and ${HEAVIEST_KG}.`), 'Parcels.*.Weight'],
  [upTo(FIELDS.Reference.longest), 'Parcels.*.Reference'],
  [upTo(FIELDS.Comment.longest), 'Parcels.*.Comment'],
  [AMOUNT, ...under('Parcels.*', 'Cashservice?', 'AddOnLiabilityService?')],
];

/** Rules for a parcel that the customer hands in at a shop. */
const RETURN_RULES: GlsRows = [
  ...RULES,
  [saying(matches(/^Y$/), 'The value must be Y.'), 'Services.ShopReturn'],
  [NEEDED, 'Addresses.Pickup'],
  [saying((value) => !isSent(value), 'A return has no alternative shipper.'), 'Addresses.AlternativeShipper'],
];

/** The names of the fields as its answers and complaints spell them. */
const NAMES = RETURN_RULES.flatMap(([, ...paths]) => paths).flatMap((path) => path.split(/[.?*]+/));
const KEYS = SERVICES.flatMap(({ key }) => key ?? []);
const SPELLED = new Map([...NAMES, ...KEYS, ...Object.keys(FIELDS)].map((name) => [name.toLowerCase(), name]));

/** Respells JSON as GLS does, which reads names of fields in any case. Names that GLS does not have stay. */
export function inGlsSpelling(sent: unknown): unknown {
  if (Array.isArray(sent)) return sent.map(inGlsSpelling);
  if (typeof sent !== 'object' || sent === null) return sent;
  const spelled = ([name, value]: [string, unknown]) => [SPELLED.get(name.toLowerCase()) ?? name, inGlsSpelling(value)];
  return Object.fromEntries(Object.entries(sent).map(spelled));
}

const isReturn = (shipment: unknown) => isSent(valueAt(shipment, 'Services', 'ShopReturn'));

async function answerShipment({ body, books }: RouteContext): Promise<Reply> {
  const shipment = inGlsSpelling(body);
  const textOf = ({ rule, field }: Breach<Saying>) => rule.text.replace('{field}', field);
  const ModelState = modelState(shipment, isReturn(shipment) ? RETURN_RULES : RULES, { name: ['shipment'], textOf });
  if (Object.keys(ModelState).length > 0) return json({ Message: 'The request is invalid.', ModelState }, 400);
  const entry = books.book(bookingIn(shipment));
  return json({
    ConsignmentId: entry.carrierNumber,
    PDF: Buffer.from(await books.labels(entry)).toString('base64'),
    Parcels: entry.trackingNumbers.map((number) => ({ UniqueNumber: `U${number}`, ParcelNumber: number })),
  });
}

function bookingIn(shipment: unknown): NewBooking {
  const services = Object.entries(valueAt(shipment, 'Services') ?? {}).map(([name, value]) => `${name} ${value}`);
  const [sender, order] = isReturn(shipment) ? ['Pickup', 'return' as const] : ['AlternativeShipper', 'real' as const];
  const booking = readBooking(shipment, {
    ...{ reference: 'Reference', sender: `Addresses.${sender}`, recipient: 'Addresses.Delivery' },
    lines: ['Name1', 'Name2', 'Street1', 'Name3', 'ZipCode City', 'CountryNum'],
    ...{ parcels: 'Parcels', parcel: { reference: 'Reference', kilograms: 'Weight' } },
  });
  const named = (lines: readonly string[]) => lines.map((line) => countries.numericToAlpha2(line) ?? line);
  const addresses = { sender: named(booking.sender), recipient: named(booking.recipient) };
  return { ...booking, ...addresses, service: services.join(', ') || 'BusinessParcel', order };
}

const HOURS = '<Weekday><day>Monday</day><openAt><From>08:00</From><To>20:00</To></openAt></Weekday>';

/** The parcel shop finder. */
function answerShops(wanted: (query: Asked['query']) => Parameters<typeof simulatedPoints>[0]): Route {
  return ({ query }) => {
    const near = { postalCode: query.zipcode, countryCode: query.countryIso3166A2 };
    const shops = simulatedPoints({ ...near, ...wanted(query) }).map((point) => {
      const texts = pointRow({ ...point, name: `${point.name} & co` }, SHOP);
      return `<PakkeshopData>${elementsOf(texts)}<OpeningHours>${HOURS}</OpeningHours></PakkeshopData>`;
    });
    if (shops.length === 0) return text('System.Web.Services.Protocols.SoapException: No parcel shop found', 500);
    const list = `<ParcelShopSearchResult><parcelshops>${shops.join('')}</parcelshops></ParcelShopSearchResult>`;
    return content('application/xml; charset=utf-8', `<?xml version="1.0" encoding="utf-8"?>${list}`);
  };
}
