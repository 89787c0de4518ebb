import { said } from '../text.js';
import { textAt } from '../json.js';

/**
 * An address for a label.
 * @param lines the names of the fields on each line, with a blank between two, of inner ones with dots: `'street', 'postalCode city', 'country.code'`
 */
export function addressLines(address: unknown, ...lines: readonly string[]): readonly string[] {
  return said(
    ...lines.map((line) => said(...line.split(' ').map((field) => textAt(address, ...field.split('.')))).join(' ')),
  );
}
