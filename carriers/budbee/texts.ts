import type { OwnTexts } from '../contract/index.js';

/** Of the codes that only Budbee's checks have. */
export const TEXTS = {
  en: {
    'email-missing': "Budbee needs the recipient's e-mail address: add one to the contact person.",
    'mobile-missing': "Budbee needs the recipient's mobile number: add one to the contact person.",
    'country-not-served': 'Budbee delivers in {served} only, not in {country}: choose another carrier.',
    'postal-code-not-served': 'Budbee does not deliver to homes in {postalCode} {country}: choose another carrier.',
  },
  da: {
    'email-missing': 'Budbee skal bruge modtagerens e-mailadresse: tilføj den til kontaktpersonen.',
    'mobile-missing': 'Budbee skal bruge modtagerens mobilnummer: tilføj det til kontaktpersonen.',
    'country-not-served': 'Budbee leverer kun i {served}, ikke i {country}: vælg en anden transportør.',
    'postal-code-not-served':
      'Budbee leverer ikke til private hjem i {postalCode} {country}: vælg en anden transportør.',
  },
} satisfies OwnTexts;
