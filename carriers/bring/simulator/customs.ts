import { customsArea, listAt, numberAt, textAt, valueAt } from '../../toolkit/index.js';
import { type CodedRule, type RuleRow, coded, declaredLineRows } from '../../toolkit/simulator/index.js';
import { isFilled, isSent } from '../../toolkit/simulator/index.js';
import { FORMS, NATURES, SALE } from '../customs.js';
import { FIELDS } from '../fields.js';
import type { productNamed } from '../services.js';

/** Of each form where it stands in a consignment, and below it the nature of the goods and the lines. */
const NEW = ['customsInformation', 'natureOfCargo.type', 'customsDeclarations', FORMS.customsInformation] as const;
const OLD_PLACE = 'product.ediCustomsDeclarations';
const OLD = [OLD_PLACE, 'natureOfTransaction', 'ediCustomsDeclaration', FORMS.ediCustomsDeclarations] as const;

type Rows = readonly RuleRow<CodedRule>[];

/** @param bad the code for everything that has none of its own */
export function customsRows(consignment: unknown, product: ReturnType<typeof productNamed>, bad: string): Rows {
  const areaOf = (role: string) =>
    customsArea({ countryCode: textAt(consignment, 'parties', role, 'countryCode'), postalCode: null });
  const isExport = areaOf('sender') === 'NO' && ![null, 'NO'].includes(areaOf('recipient'));
  const sent = [NEW, OLD].filter(([place]) => isSent(valueAt(consignment, ...place.split('.'))));
  const isNeeded = isExport && product.is('declared-from-Norway') && sent.length === 0;
  return [
    [coded(() => !isNeeded, 'BOOK_VALIDATION-014', 'needs customs declarations from Norway'), 'product'],
    ...sent.flatMap(([place, nature, list, names]): Rows => {
      const lines = `${place}.${list}`;
      const declared = listAt(consignment, ...lines.split('.')).map((line) => numberAt(line, names.kilograms) ?? 0);
      const kilos = declared.reduce((sum, each) => sum + each, 0);
      const maxKg =
        (product.maxGramsTo(textAt(consignment, 'parties', 'recipient', 'countryCode') ?? '') / 1000) *
        listAt(consignment, 'packages').length;
      const codes = { missing: 'BOOK_VALIDATION-012', invalid: bad, longest: FIELDS.goodsDescription.longest };
      return [
        [
          coded((value) => NATURES.includes(`${value as string}`), 'BOOK_VALIDATION-013', 'is needed'),
          `${place}.${nature}`,
        ],
        ...declaredLineRows(lines, names, codes),
        [coded(() => kilos <= maxKg, 'BOOK_VALIDATION-015', 'weigh more than the service takes'), lines],
      ];
    }),
    ...(sent.includes(NEW) ? rowsOfNew(consignment, product, bad) : []),
  ];
}

function rowsOfNew(consignment: unknown, product: ReturnType<typeof productNamed>, bad: string): Rows {
  const isVoec = isSent(valueAt(consignment, 'customsInformation', 'voec'));
  return [
    [coded((value) => value === true, bad, 'must be true'), 'customsInformation.consent'],
    [coded(isFilled, bad, 'is missing'), 'parties.importer.name', 'parties.exporter.name'],
    [
      coded((value) => !isVoec || value === SALE, bad, `must be ${SALE} with a VOEC number`),
      'customsInformation.natureOfCargo.type',
    ],
    [
      coded((value) => !isVoec || product.is('ungrouped') || isFilled(value), bad, 'is missing'),
      'customsInformation.consolidatedShipmentId',
    ],
  ];
}
