import { didYouMean } from '../language/check-rule.js';
import { derivedField } from './derived-fields.js';
import { isJsonObject } from '../../../carriers/contract/json.js';
import { shipmentField } from './shipment-fields.js';

interface ShapeProblem {
  readonly path: string;
  readonly rule: string;
}

/** Objects and lists where a shipment of the IMS has none, and the other way round; pure. */
export function shapeProblems(shipment: object): readonly ShapeProblem[] {
  return walk(shipment, '', false);
}

/** As `shapeProblems`, and fields that no shipment has: for shipments that people write. */
export function strictShapeProblems(shipment: object): readonly ShapeProblem[] {
  return walk(shipment, '', true);
}

function walk(value: object, before: string, strict: boolean): readonly ShapeProblem[] {
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    const path = before + name;
    const field = shipmentField(path);
    if (field === null) return strict ? [{ path, rule: unknownField(path) }] : [];
    if ((member ?? null) === null) return [];
    switch (field.type) {
      case 'object':
        return isJsonObject(member) ? walk(member, `${path}.`, strict) : [{ path, rule: 'must be an object' }];
      case 'list':
        return elements(member, path, strict);
      default:
        return typeof member === 'object' ? [{ path, rule: 'must be a plain value' }] : [];
    }
  });
}

function unknownField(path: string): string {
  const derived = derivedField(path);
  return derived === null
    ? `is not a field of a shipment${didYouMean(path)}`
    : `is not given but worked out: ${derived.from}`;
}

function elements(member: unknown, path: string, strict: boolean): readonly ShapeProblem[] {
  if (!Array.isArray(member)) return [{ path, rule: 'must be a list' }];
  return member.flatMap((element: unknown) =>
    isJsonObject(element) ? walk(element, `${path}.`, strict) : [{ path, rule: 'must be a list of objects' }],
  );
}
