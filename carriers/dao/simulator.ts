import type { NewBooking, PageSize, Reply, Route } from '../toolkit/simulator/index.js';
import { aboutBooking, addressLines, eventRow, json, pdf, pointRow } from '../toolkit/simulator/index.js';
import { simulateCarrier, simulatedPoints } from '../toolkit/simulator/index.js';
import { codesFor, localDateTime, said } from '../toolkit/index.js';
import type { DaoQuery } from './api.js';
import { FAILED, OK } from './api.js';
import { PAPERS } from './config.js';
import { POINT } from './pickup-points.js';
import type { DaoService } from './services.js';
import { EVENT, STATUSES } from './tracking.js';

/** DAO's own codes stand in its `FejlKoder.php`; this one is the simulator's. */
const SIMULATED_CODE = '999';
const refuse = (fejltekst: string): Reply => json({ status: FAILED, fejlkode: SIMULATED_CODE, fejltekst });
const agree = (resultat: unknown): Reply => json({ status: OK, fejlkode: '', fejltekst: '', resultat });
const UNKNOWN_PARCEL = 'Stregkoden findes ikke';

const PAGES = new Map<string, PageSize>(
  Object.entries({ ...PAPERS, '100x150l': PAPERS['150x100'], '100x150p': PAPERS['100x150'] }),
);

/** The code for each status; DAO's for customs, pick-up points, losses and cancellations are not known. */
const CODES = codesFor(STATUSES, {
  ...{ 'handed-over': '10', 'in-transit': '20', customs: '901', 'at-pickup-point': '902' },
  ...{ 'lost-or-damaged': '903', cancelled: '904', unrecognised: '999' },
});
const timeOf = (at: Date) => localDateTime(at, 'Europe/Copenhagen').replace('T', ' ');
const WRITING = { codes: CODES, timeOf, place: 'sted' };

/** A parcel can be cancelled until the first terminal scans it. */
const BEFORE_TERMINAL: readonly string[] = ['registered', 'handed-over'];

const known = aboutBooking(
  ({ query, books }) => books.byParcel(query['stregkode']),
  () => refuse(UNKNOWN_PARCEL),
);

/** DAO's API over real HTTP; it knows every account whose code is not `wrong`. */
export const startDaoSimulator = simulateCarrier({
  carrier: 'dao',
  carrierName: 'DAO',
  series: { parcel: { prefix: '00057', length: 20 } },
  authenticate: ({ query: { kundeid, kode } }) =>
    kundeid && kode && kode !== 'wrong' ? null : refuse('Ukendt kundeid eller kode'),
  routes: {
    'GET /DAODirekte/leveringsordre.php': order('home'),
    'GET /DAOPakkeshop/leveringsordre.php': order('pickup-point'),
    'GET /DAODirekte/UdlandLeveringsOrdre.php': order('abroad'),
    'GET /DAOPakkeshop/returordre.php': order('return'),
    'GET /HentLabel.php': known(async (entry, { query, books }) => {
      const page = PAGES.get(query['papir'] ?? '100x150');
      if (entry.state === 'cancelled' || entry.asked.service === LABEL_LESS) return refuse(UNKNOWN_PARCEL);
      return page ? pdf(await books.labels(entry, page)) : refuse('Ukendt papir');
    }),
    'GET /AnnullerePakke.php': known((entry, { books }) => {
      if (entry.state === 'cancelled') return refuse('Pakken er allerede annulleret');
      const happened = entry.trackingNumbers.flatMap((number) => books.events(number));
      if (!happened.every(({ status }) => BEFORE_TERMINAL.includes(status))) return refuse('Pakken er scannet');
      books.cancel(entry);
      return agree(null);
    }),
    'GET /TrackNTrace_v2.php': known(({ trackingNumbers: [stregkode = ''] }, { books }) => {
      const group = { pakketype: 'direkte', shopid: '' };
      const haendelser = books.events(stregkode).map((event) => ({ ...eventRow(event, EVENT, WRITING), ...group }));
      const parcel = { stregkode, pakketype: 'direkte', eta: '', ekstern_tracking: '' };
      return agree({ ...parcel, haendelser: haendelser.reverse() });
    }),
    'GET /DAOPakkeshop/FindPakkeshop.php': ({ query }) => answerPoints(query),
    'GET /FejlKoder.php': () => agree([{ fejlkode: SIMULATED_CODE, fejltekst: 'Forespørgslen blev afvist' }]),
  },
});

function answerPoints({ shopid, postnr, antal = '10' }: DaoQuery): Reply {
  if (!shopid && !DANISH_POSTAL_CODE.test(postnr ?? '')) return refuse('Feltet postnr mangler eller er ugyldigt');
  const points = simulatedPoints({ id: shopid, limit: antal, postalCode: postnr });
  const aabningstider = { man: '08:00 - 22:00', lor: '10:00 - 20:00' };
  const pakkeshops = points.map((point) => ({ ...pointRow(point, POINT), aabningstider }));
  return agree({ antal: String(pakkeshops.length), pakkeshops });
}

/** A customer without a label writes a code on the parcel. */
const LABEL_LESS = 'return labelless';

function order(service: DaoService | 'return'): Route {
  return ({ query, books }) => {
    const violation = violationIn(query, service);
    if (violation) return refuse(violation);
    const entry = books.book(readOrder(service, query));
    const stregkode = entry.trackingNumbers[0];
    if (service === 'return')
      return agree({ stregkode, ...(entry.asked.service === LABEL_LESS && { labellesskode: '1234' }) });
    return agree({ stregkode, labelTekst1: '', labelTekst2: '', labelTekst3: '', udsortering: 'E' });
  };
}

function readOrder(service: DaoService | 'return', query: DaoQuery): NewBooking {
  const shop = service === 'pickup-point' ? `shop ${query['shopid'] ?? ''}` : null;
  const ours = { service: said(service, shop).join(' '), order: 'real' } as const;
  const returned = { service: `return ${query['type'] ?? 'labelless'}`, order: 'return' } as const;
  const customer = addressLines(query, 'afsender', 'afsender_adresse', 'afsender_postnr');
  return {
    ...(service === 'return' ? returned : ours),
    ...(query['test'] === '1' && { order: 'test' }),
    reference: query['faktura'] ?? '',
    sender: service === 'return' ? customer : said(`Customer ${query['kundeid']}`, query['afsenderid']),
    recipient: addressLines(query, 'navn', 'adresse', 'postnr by', 'land'),
    parcels: [{ weightGrams: Number(query['vaegt']) }],
  };
}

type Rules = Readonly<Record<string, RegExp>>;

const SOMETHING = /\S/;
const DANISH_POSTAL_CODE = /^(DK-?)?\d{4}$/;
const ALWAYS: Rules = {
  ...{ navn: SOMETHING, adresse: SOMETHING, faktura: SOMETHING },
  vaegt: /^(?!0+(\.0*)?$)\d+(\.\d+)?$/,
};
/** A side, where it is given: clients multiply metres, and send the result. */
const SIDE = /^\d+(\.\d+)?$/;

const BY_SERVICE: Readonly<Record<DaoService | 'return', Rules>> = {
  home: { postnr: DANISH_POSTAL_CODE },
  'pickup-point': { postnr: DANISH_POSTAL_CODE, shopid: /^\d*$/ },
  abroad: { postnr: SOMETHING, by: SOMETHING, land: /^[A-Z]{2}$/ },
  return: {
    // one client sends no address of the customer
    ...{ postnr: DANISH_POSTAL_CODE, afsender: SOMETHING, afsender_postnr: /^((DK-?)?\d{4})?$/ },
    type: /^(withlabel|labelless)?$/,
  },
};

/** What DAO says against an order; `undefined`: it takes it. */
function violationIn(query: DaoQuery, service: keyof typeof BY_SERVICE): string | undefined {
  const sides = Object.fromEntries(['l', 'h', 'b'].filter((side) => query[side]).map((side) => [side, SIDE]));
  const rules = Object.entries({ ...ALWAYS, ...sides, ...BY_SERVICE[service] });
  const field = rules.find(([name, pattern]) => !pattern.test(query[name] ?? ''))?.[0];
  return field && `Feltet ${field} mangler eller er ugyldigt`;
}
