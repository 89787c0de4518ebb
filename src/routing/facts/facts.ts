import { DERIVED_FIELDS, type Derived, type Missing, type RoutingContext } from './derived-fields.js';
import { asArray } from './json-values.js';
import { type JsonObject, isJsonObject } from '../../../carriers/contract/json.js';

/** The values that rules are evaluated against. */
export interface Facts {
  /** The shipment's carrier in the IMS. Rules for accounts of other carriers are skipped. */
  readonly carrierName: string | null;
  /** The shipment's own fields, and the derived ones that are known. */
  readonly values: JsonObject;
  /** First part of a path → why the values below it are not known. */
  readonly notKnown: ReadonlyMap<string, Missing>;
  /** Derived fields this shipment has no value for, and why. */
  readonly none: ReadonlyMap<string, Missing>;
}

/** A shipment as the IMS gives it, with the carrier it has. */
export interface RoutedShipment {
  readonly carrierName: string | null;
  readonly fields: JsonObject;
}

/** Builds the facts of a shipment that rules can use; pure. */
export function factsOf(shipment: RoutedShipment, around: RoutingContext): Facts {
  const containers = asArray(shipment.fields['shippingContainers']).filter(isJsonObject);
  const source = { shipment: shipment.fields, containers, around };
  const entries = Object.entries(DERIVED_FIELDS).map(([name, field]) => [name, field.derive(source)] as const);
  const values = Object.fromEntries(entries.map(([name, derived]) => [name, valueOf(derived)]));
  const packed: readonly (readonly [string, Missing])[] =
    containers.length === 0 ? [['shippingContainers', 'not-packed']] : [];
  return {
    carrierName: shipment.carrierName,
    values: { ...shipment.fields, carrierName: shipment.carrierName, ...values },
    notKnown: new Map([...packed, ...missing(entries, 'not-known')]),
    none: new Map(missing(entries, 'none')),
  };
}

function valueOf(derived: Derived): string | number | boolean | null {
  return derived.kind === 'known' ? derived.value : null;
}

function missing(
  entries: readonly (readonly [string, Derived])[],
  kind: 'not-known' | 'none',
): readonly (readonly [string, Missing])[] {
  return entries.flatMap(([name, derived]) =>
    derived.kind !== 'known' && derived.kind === kind ? [[name, derived.why] as const] : [],
  );
}
