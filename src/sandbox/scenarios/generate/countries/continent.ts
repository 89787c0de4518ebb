import type { Country } from './country.js';

export const germany: Country = {
  code: 'DE',
  currencyCode: 'EUR',
  perKrone: 0.134,
  customs: 'not-needed',
  districts: [
    {
      kind: 'flats',
      streets: ['Lindenstraße', 'Bahnhofstraße', 'Schulstraße', 'Gartenstraße', 'Königstraße', 'Große Straße'],
      towns: [
        ['24937', 'Flensburg'],
        ['24103', 'Kiel'],
        ['23552', 'Lübeck'],
        ['20095', 'Hamburg'],
        ['10115', 'Berlin'],
        ['28195', 'Bremen'],
        ['50667', 'Köln'],
      ],
    },
    {
      kind: 'houses',
      streets: ['Mühlenweg', 'Am Deich', 'Birkenweg', 'Süderstraße'],
      towns: [
        ['25813', 'Husum'],
        ['25899', 'Niebüll'],
        ['24837', 'Schleswig'],
      ],
    },
  ],
  businessStreets: ['Industriestraße', 'Gewerbestraße', 'Am Hafen'],
  firstNames: ['Jürgen', 'Käthe', 'Lukas', 'Björn', 'Sabine', 'Jörg', 'Anja', 'Emre', 'Ulrike'],
  lastNames: ['Weiß', 'Schröder', 'Müller', 'Petersen', 'Krüger', 'Jäger', 'Hansen', 'Groß', 'Yıldız'],
  companies: {
    names: ['Nordwind', 'Förde', 'Küstenland', 'Grünhagen'],
    trades: ['Outdoor', 'Fahrräder', 'Wohnen', 'Gärtnerei'],
    forms: ['GmbH', 'KG', 'OHG'],
  },
  mobile: '+49176040690##',
  phone: '+493023125###',
  vatNumber: 'DE00000####',
  flats: ['1. OG links', '2. OG', 'Hinterhaus', 'EG rechts'],
  notesOnDelivery: {
    flats: ['Klingel defekt, bitte anrufen', 'Bitte beim Nachbarn abgeben'],
    houses: ['Bitte in die Garage stellen', 'Bitte beim Nachbarn abgeben'],
  },
  notesOfCompanies: ['Anlieferung über den Hof, Tor 2'],
};

export const netherlands: Country = {
  code: 'NL',
  currencyCode: 'EUR',
  perKrone: 0.134,
  customs: 'not-needed',
  districts: [
    {
      kind: 'houses',
      streets: ['Kerkstraat', 'Schoolstraat', 'Molenstraat', 'Stationsweg', 'Nieuwstraat'],
      towns: [
        ['1017 GC', 'Amsterdam'],
        ['3511 LX', 'Utrecht'],
        ['9711 LM', 'Groningen'],
        ['2513 AA', 'Den Haag'],
        ['5611 EM', 'Eindhoven'],
      ],
    },
  ],
  businessStreets: ['Industrieweg', 'Havenstraat'],
  firstNames: ['Daan', 'Femke', 'Joris', 'Noël', 'Sanne', 'Wouter'],
  lastNames: ['de Vries', 'Jansen', 'van Dijk', 'Bakker', 'Visser', 'Kuiper'],
  companies: {
    names: ['Noorderzon', 'Waterland', 'De Linde'],
    trades: ['Wonen', 'Fietsen', 'Tuin'],
    forms: ['B.V.', 'V.O.F.'],
  },
  mobile: '+3161000####',
  phone: '+3120000####',
  vatNumber: 'NL00000####B01',
  flats: ['2e verdieping', 'bis'],
  notesOnDelivery: {
    flats: ['Graag bij de buren afgeven'],
    houses: ['Graag bij de buren afgeven', 'Mag in de schuur'],
  },
  notesOfCompanies: ['Afleveren bij het magazijn'],
};

export const switzerland: Country = {
  code: 'CH',
  currencyCode: 'CHF',
  perKrone: 0.125,
  customs: 'needed',
  districts: [
    {
      kind: 'flats',
      streets: ['Bahnhofstrasse', 'Gartenstrasse', 'Seestrasse', 'Mühlegasse', 'Schulhausstrasse'],
      towns: [
        ['8001', 'Zürich'],
        ['3011', 'Bern'],
        ['4051', 'Basel'],
        ['6003', 'Luzern'],
        ['9000', 'St. Gallen'],
      ],
    },
  ],
  businessStreets: ['Industriestrasse'],
  firstNames: ['Urs', 'Céline', 'Beat', 'Reto', 'Annelies'],
  lastNames: ['Keller', 'Müller', 'Zürcher', 'Brunner', 'Bühler'],
  companies: { names: ['Alpenrose', 'Seeblick'], trades: ['Sport', 'Wohnen', 'Velo'], forms: ['AG', 'GmbH'] },
  mobile: '+4179000####',
  phone: '+4144000####',
  vatNumber: 'CHE999999###MWST',
  flats: ['2. Stock', '3. Stock links'],
  notesOnDelivery: { flats: ['Bitte beim Nachbarn abgeben'], houses: ['Bitte im Milchkasten deponieren'] },
  notesOfCompanies: ['Anlieferung Rampe 1'],
};
