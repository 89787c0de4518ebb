import { customsArea, listAt, valueAt } from '../../toolkit/index.js';
import type { CodedRule, RuleRow } from '../../toolkit/simulator/index.js';
import { coded, declarationRows, isFilled, isSent, under } from '../../toolkit/simulator/index.js';
import { FORMS, NATURES, SALE } from '../customs.js';
import { FIELDS } from '../fields.js';
import type { productNamed } from '../services.js';

/** Of each form where it stands in a consignment, and below it the lines and the nature of the goods. */
const PLACES = [
  [FORMS.customsInformation, 'customsInformation', 'customsDeclarations', 'natureOfCargo.type'],
  [FORMS.ediCustomsDeclarations, 'product.ediCustomsDeclarations', 'ediCustomsDeclaration', 'natureOfTransaction'],
] as const;

type Shipped = Pick<ReturnType<typeof productNamed>, 'is'> & { from: string | null; to: string | null; maxKg: number };

/** @param invalid the code for everything that has none of its own */
export function customsRows(consignment: unknown, { is, from, to, maxKg }: Shipped, invalid: string) {
  const [origin, country] = [from, to].map((countryCode) => customsArea({ countryCode, postalCode: null }));
  const sent = PLACES.filter(([, place]) => isSent(valueAt(consignment, ...place.split('.'))));
  const isExport = origin === 'NO' && country !== 'NO' && is('declared-from-Norway');
  const isVoec = isSent(valueAt(consignment, 'customsInformation', 'voec'));
  const rest = {
    natures: NATURES,
    longest: FIELDS.goodsDescription.longest,
    maxKg: maxKg * listAt(consignment, 'packages').length,
  };
  const codes = {
    missing: 'BOOK_VALIDATION-012',
    nature: 'BOOK_VALIDATION-013',
    weight: 'BOOK_VALIDATION-015',
    invalid,
  };
  const rows: readonly RuleRow<CodedRule>[] = [
    [coded(() => !isExport || sent.length > 0, 'BOOK_VALIDATION-014', 'needs customs declarations'), 'product'],
    ...sent.flatMap(([names, at, lines, nature]) =>
      declarationRows(consignment, { ...rest, names, codes, lines: `${at}.${lines}`, nature: `${at}.${nature}` }),
    ),
  ];
  if (!isSent(valueAt(consignment, 'customsInformation'))) return rows;
  const ofNew: readonly RuleRow<CodedRule>[] = [
    [coded((given) => given === true, invalid, 'must be true'), 'customsInformation.consent'],
    [coded(isFilled, invalid, 'is missing'), ...under('parties', 'importer.name', 'exporter.name')],
    [coded((given) => !isVoec || given === SALE, invalid, `must be ${SALE}`), 'customsInformation.natureOfCargo.type'],
    [
      coded((given) => !isVoec || is('ungrouped') || isFilled(given), invalid, 'is missing'),
      'customsInformation.consolidatedShipmentId',
    ],
  ];
  return [...rows, ...ofNew];
}
