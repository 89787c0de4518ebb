import type { Country } from './country.js';

export const finland: Country = {
  code: 'FI',
  currencyCode: 'EUR',
  perKrone: 0.134,
  customs: 'not-needed',
  districts: [
    { kind: 'flats', streets: ['Mannerheimintie', 'Fredrikinkatu', 'Runeberginkatu'], towns: [['00100', 'Helsinki']] },
    { kind: 'flats', streets: ['Hämeentie'], towns: [['00530', 'Helsinki']] },
    {
      kind: 'flats',
      streets: ['Kauppakatu', 'Koulukatu', 'Rantakatu', 'Kirkkokatu', 'Puistokatu', 'Asemakatu', 'Rauhankatu'],
      towns: [
        ['33100', 'Tampere'],
        ['20100', 'Turku'],
        ['90100', 'Oulu'],
        ['40100', 'Jyväskylä'],
        ['70100', 'Kuopio'],
        ['15110', 'Lahti'],
        ['65100', 'Vaasa'],
        ['53100', 'Lappeenranta'],
      ],
    },
    {
      kind: 'houses',
      streets: ['Koivutie', 'Metsätie', 'Mäkitie', 'Järvitie', 'Päivänsäteentie'],
      towns: [
        ['96100', 'Rovaniemi'],
        ['28100', 'Pori'],
      ],
    },
  ],
  businessStreets: ['Teollisuustie', 'Yrittäjäntie', 'Satamakatu'],
  firstNames: ['Aino', 'Väinö', 'Päivi', 'Jukka', 'Sinikka', 'Mikko', 'Hanna', 'Eero', 'Tuuli', 'Kalle'],
  lastNames: ['Virtanen', 'Mäkinen', 'Nieminen', 'Hämäläinen', 'Koskinen', 'Järvinen', 'Lehtonen', 'Äijälä', 'Sjöblom'],
  companies: {
    names: ['Revontuli', 'Järvenranta', 'Mäntylän', 'Pohjolan'],
    trades: ['Retkeily', 'Sisustus', 'Rakennus', 'Kahvila', 'Pyörä'],
    forms: ['Oy', 'Oy', 'Ky'],
  },
  mobile: '+35850000####',
  phone: '+3589000####',
  vatNumber: 'FI9999####',
  flats: ['A 4', 'A 12', 'B 23', 'B 34', 'C 41', 'as. 7'],
  notesOnDelivery: {
    flats: ['Soita ennen toimitusta', 'Ovikoodi 2580'],
    houses: ['Voi jättää terassille', 'Soita ennen toimitusta'],
  },
  notesOfCompanies: ['Toimitus lastauslaiturille', 'Tavaran vastaanotto klo 8-15'],
};
