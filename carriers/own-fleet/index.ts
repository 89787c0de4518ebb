import { defineCarrier } from '../contract/index.js';
import { readTemplate } from '../toolkit/label-template/template.js';
import { plainTracking } from '../toolkit/tracking/plain-tracking.js';
import { bookOwnFleet } from './booking.js';
import { FIELDS, NAME, checkForOwnFleet, checkRule, textChangesAtOwnFleet } from './check.js';
import { OwnFleetConfig } from './config.js';
import { WORDS } from './label.js';

/** The vehicles of the warehouse itself, and carriers that take labels with an SSCC. */
export const ownFleet = defineCarrier({
  id: 'own-fleet',
  name: NAME,
  // There is no API: nothing is ever sent here.
  baseUrl: 'https://own-fleet.invalid',
  Config: OwnFleetConfig,
  secrets: () => [],
  fields: FIELDS,
  sample: {
    // A prefix of the examples of GS1; nobody's labels have it.
    config: () => ({ companyPrefix: '9521234' }),
    secrets: { OWN_FLEET_CALLBACK_SECRET: `whsec_${Buffer.from('sandbox-own-fleet-callbacks').toString('base64')}` },
    callbackSecret: 'OWN_FLEET_CALLBACK_SECRET',
  },
  traits: {
    api: 'none',
    repeatedBooking: 'returns-first', // Tools.numbers gives the same numbers to the same reference
    bookingVisibleAfterMs: 0, // there is no search
    maxParcels: 99, // as many labels are drawn at once
    maxReferenceLength: 23, // 401 has 30 characters, with a company prefix of seven digits
    labels: [{ format: 'pdf', widthMm: 102, heightMm: 152 }], // templates/labels/own-fleet.yaml
    customsPapers: { form: 'invoice' }, // there is no one else to declare the goods
    services: [{ code: '<any text>', name: 'printed on the label' }], // README, "Services"
    confidence: {
      source: 'GS1 General Specifications 24.0, sections 2.2, 3.2, 3.6 and 5.4',
      level: 'high',
      assumed: [
        'A carrier that takes labels with an SSCC may ask for a layout of its own: the template is changed for it.',
      ],
    },
    trackingNumberPattern: /^\d{18}$/,
  },
  checkRule,
  parseCallback: plainTracking,
  connect: (config, tools) => {
    const template = readTemplate(tools.files, config.template, WORDS);
    return {
      book: (request) => bookOwnFleet(request, { config, tools, template }),
      // The numbers stay used; there is no one to tell.
      cancel: () => Promise.resolve(),
      check: checkForOwnFleet,
      textChanges: textChangesAtOwnFleet,
    };
  },
});
