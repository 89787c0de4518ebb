import type { Line } from './catalogue.js';

const AEROSOL = { number: 'UN1950' };

export const care: readonly Line[] = [
  ['SOAP-3', 'Hand soap bars, 3 pieces', 'Soap', 0.33, [0.18, 0.08, 0.04], 119, '34011100', 'DK'],
  ['SHAMPOO', 'Shampoo, birch 250 ml', 'Hair', 0.29, [0.18, 0.06, 0.05], 129, '33051000', 'DK'],
  ['CREAM-DAY', 'Day cream 50 ml', 'Skin', 0.12, [0.08, 0.08, 0.06], 279, '33049900', 'FR', { expires: 'yes' }],
  ['CREAM-SUN', 'Sun cream SPF 30 200 ml', 'Skin', 0.24, [0.19, 0.07, 0.04], 149, '33049900', 'DE', { expires: 'yes' }],
  [
    'PERFUME-50',
    'Eau de parfum 50 ml',
    'Perfume',
    0.21,
    [0.13, 0.08, 0.05],
    599,
    '33030010',
    'FR',
    { dangerous: { number: 'UN1266', packingGroup: 'II' } },
  ],
  ['HAIRSPRAY', 'Hairspray 250 ml', 'Hair', 0.26, [0.22, 0.05, 0.05], 99, '33053000', 'DE', { dangerous: AEROSOL }],
  [
    'SANITIZER',
    'Hand sanitizer 500 ml',
    'Hygiene',
    0.51,
    [0.2, 0.08, 0.06],
    69,
    '38089490',
    'DK',
    { dangerous: { number: 'UN1170', packingGroup: 'II' } },
  ],
  ['TOOTHPASTE', 'Toothpaste 75 ml', 'Hygiene', 0.11, [0.19, 0.05, 0.04], 39, '33061000', 'SE', { expires: 'yes' }],
  ['BRUSH-4', 'Bamboo toothbrushes, 4 pieces', 'Hygiene', 0.08, [0.2, 0.1, 0.02], 89, '96032100', 'CN'],
  [
    'TOWEL',
    'Terry towel 70 x 140 cm',
    'Textiles',
    0.58,
    [0.32, 0.24, 0.08],
    199,
    '63026000',
    'PT',
    { colors: ['White', 'Sand', 'Petrol'] },
  ],
  ['RAZOR', 'Safety razor', 'Shaving', 0.16, [0.14, 0.09, 0.04], 349, '82121010', 'DE'],
  ['OIL-BATH', 'Bath oil 200 ml', 'Skin', 0.28, [0.17, 0.06, 0.06], 169, '33073000', 'DK'],
];
