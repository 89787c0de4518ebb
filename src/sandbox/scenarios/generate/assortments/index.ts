import type { Assortment } from '../../scenario.js';
import { care } from './care.js';
import type { CatalogueEntry, Line } from './catalogue.js';
import { home } from './home.js';
import { outdoor } from './outdoor.js';
import { pantry } from './pantry.js';
import { wool } from './wool.js';

const LINES: Readonly<Record<Assortment, readonly Line[]>> = { outdoor, wool, home, care, pantry };

/** The catalogue of an assortment; all products are invented. */
export function catalogueOf(assortment: Assortment): readonly CatalogueEntry[] {
  return LINES[assortment].map(
    ([code, name, group, weightKg, sizeM, price, harmonizedSystemCode, origin, more = {}]) => ({
      ...{ code, name, group, weightKg, sizeM, price, harmonizedSystemCode, origin },
      ...more,
    }),
  );
}
