import { textAt } from '../toolkit/json-path.js';
import type { DaoService } from './wire.js';

interface Rule {
  readonly field: string;
  readonly pattern: RegExp;
}

const SOMETHING = /\S/;
const WHOLE_NUMBER = /^\d+$/;

const ALWAYS: readonly Rule[] = [
  { field: 'navn', pattern: SOMETHING },
  { field: 'adresse', pattern: SOMETHING },
  { field: 'vaegt', pattern: /^[1-9]\d*$/ },
  { field: 'l', pattern: WHOLE_NUMBER },
  { field: 'h', pattern: WHOLE_NUMBER },
  { field: 'b', pattern: WHOLE_NUMBER },
  { field: 'faktura', pattern: SOMETHING },
];

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
  return [...ALWAYS, ...BY_SERVICE[service]]
    .filter(({ field, pattern }) => !pattern.test(textAt(query, field) ?? ''))
    .map(({ field }) => `Feltet ${field} mangler eller er ugyldigt`);
}
