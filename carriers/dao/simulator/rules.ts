import { textAt } from '../../toolkit/json.js';
import type { DaoService } from '../wire.js';

interface Rule {
  readonly field: string;
  readonly pattern: RegExp;
}

const SOMETHING = /\S/;
/** Clients multiply metres and kilograms, and send what comes out. */
const NUMBER = /^\d+(\.\d+)?$/;
const POSITIVE = /^(?!0+(\.0*)?$)\d+(\.\d+)?$/;

const ALWAYS: readonly Rule[] = [
  { field: 'navn', pattern: SOMETHING },
  { field: 'adresse', pattern: SOMETHING },
  { field: 'vaegt', pattern: POSITIVE },
  { field: 'faktura', pattern: SOMETHING },
];

/** Where they are given. */
const SIDES: readonly Rule[] = ['l', 'h', 'b'].map((field) => ({ field, pattern: NUMBER }));

const DANISH_POSTAL_CODE: Rule = { field: 'postnr', pattern: /^(DK-?)?\d{4}$/ };

const BY_SERVICE: Readonly<Record<DaoService, readonly Rule[]>> = {
  home: [DANISH_POSTAL_CODE],
  'pickup-point': [DANISH_POSTAL_CODE, { field: 'shopid', pattern: /^\d*$/ }],
  abroad: [
    { field: 'postnr', pattern: SOMETHING },
    { field: 'by', pattern: SOMETHING },
    { field: 'land', pattern: /^[A-Z]{2}$/ },
  ],
};

/** What DAO would say against an order; empty when it takes it. */
export function complaintsAbout(service: DaoService, query: unknown): readonly string[] {
  const sides = SIDES.filter(({ field }) => textAt(query, field) !== null);
  return [...ALWAYS, ...sides, ...BY_SERVICE[service]]
    .filter(({ field, pattern }) => !pattern.test(textAt(query, field) ?? ''))
    .map(({ field }) => `Feltet ${field} mangler eller er ugyldigt`);
}
