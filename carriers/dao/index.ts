import { defineCarrier } from '../contract/index.js';
import { formsIn, nameOfForm, neededAt, oneByOne, onlyTrackingNumber } from '../toolkit/index.js';
import { pickupPointsIn, readPoints } from '../toolkit/index.js';
import { OK, daoApi, isAboutTheParcel } from './api.js';
import { fromDaoOrder, toDaoOrder, toDaoReturn } from './booking.js';
import { check } from './check.js';
import { DaoConfig, PAPERS } from './config.js';
import { FIELDS, textChangesAtDao } from './fields.js';
import { POINT, toDaoPointQuery } from './pickup-points.js';
import { SERVICES, checkRule } from './services.js';
import { fromDaoTracking } from './tracking.js';

export const dao = defineCarrier({
  id: 'dao',
  name: 'DAO',
  baseUrl: 'https://api.dao.as',
  Config: DaoConfig,
  secrets: ({ code }) => [code], // it stands in the address of every request, which servers like to quote in error pages
  fields: FIELDS,
  requestFields: {
    plain: 'fejltekst fejlkode vaegt l h b faktura idkrav shopid stregkode postnr'.split(' '),
    personal: ['navn', 'adresse', 'mobil'],
    secret: ['kode'],
  },
  sample: {
    config: () => ({ customerId: '9999', code: '${DAO_CODE}' }),
    secrets: { DAO_CODE: 'sandbox-dao-code' },
  },
  customer: ['customerId'],
  settingsInIms: {
    key: 'DAOTransport',
    keptBy: 'carrier',
    login: ['customerId', 'code'],
    within: ['senderId'],
  },
  traits: {
    repeatedBooking: 'books-again', // no idempotency key; a repeated order gets a new barcode (README, Sources)
    bookingVisibleAfterMs: 0, // there is no search by `faktura`
    // nothingBookedAfter: no source says so of any answer (README, Assumptions)
    maxParcels: 1, // one order is one parcel
    maxReferenceLength: 20, // our assumption, no limit is documented: see README
    labels: formsIn(PAPERS), // HentLabel.php gives PDF and nothing else; the printer's profile chooses, else the account's `paper`
    customsPapers: { form: 'invoice', from: 'DK' }, // no field for customs is known (README, Assumptions)
    services: SERVICES, // one for each call that makes an order
    // README, Sources and Assumptions
    confidence: {
      source: "public clients of DAO's API that agree with each other; DAO's own manual was not read",
      level: 'high',
      assumed: [
        'What the codes of tracking mean is not certain: ask DAO for its list (README, Tracking).',
        'Orders abroad are as one client makes them; return orders join what two clients send.',
        'A reference has at most 20 characters: DAO names no limit.',
        'Labels have the size that the name of their paper says, in millimetres.',
      ],
    },
    trackingNumberPattern: /^\d{20}$/, // `stregkode`: 20 digits (README, Sources)
  },
  checkRule,
  connect: (config, tools) => {
    const api = daoApi(config, tools);
    const track = async (stregkode: string) => {
      try {
        const json = await api.track({ query: { stregkode, sprog: 'EN' } });
        return fromDaoTracking(stregkode, json, config.trackingCodes);
      } catch (error) {
        if (isAboutTheParcel(error)) return []; // it may not know it yet
        throw error;
      }
    };
    return {
      check,
      textChanges: textChangesAtDao,
      book: async (request) => {
        const { service, query } = toDaoOrder(request, config);
        return fromDaoOrder(request, await api[service]({ query }));
      },
      returnLabel: async (request) => fromDaoOrder(request, await api.return({ query: toDaoReturn(request, config) })),
      fetchLabels: async (booking, form) => {
        const papir = nameOfForm(PAPERS, form) ?? config.paper;
        return [await api.label({ query: { stregkode: onlyTrackingNumber(booking), papir } })];
      },
      track: oneByOne(track),
      pickupPoints: pickupPointsIn(['DK'], async (query) =>
        readPoints(query, await api.points({ query: toDaoPointQuery(query) }), POINT),
      ),
      probe: () => api.probe(),
      cancel: async (booking) => {
        const json = await api.cancel({ query: { stregkode: onlyTrackingNumber(booking) } });
        if (neededAt(json, 'status') !== OK) throw new Error('DAO confirms nothing');
      },
    };
  },
});
