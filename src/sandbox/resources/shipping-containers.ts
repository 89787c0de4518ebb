import { shippingContainerFields } from '../schema/outbound-fields.js';
import { DIMENSIONS } from '../schema/embedded.js';
import { CONTAINER_PLATFORM_TYPE } from '../schema/enums.js';
import type { Fields } from '../schema/fields.js';
import { DECIMAL, enumType } from '../schema/fields.js';
import type { Resource } from '../schema/resource.js';
import type { Ims, Kind } from '../ims.js';
import type { Json, JsonMembers } from '../store/json.js';
import { membersOf } from '../store/json.js';
import { ImsRefusal } from '../api/refusal.js';
import { sum } from '../stock/levels.js';
import type { ContainerRow, ShipmentRow } from '../store/store.js';

const LITRES_IN_A_CUBIC_METRE = 1000;

const GIVEN_HERE = {
  set: 'on-create',
  says: 'The real service computes it from the container type. The sandbox has no list of types, so it accepts the value when a container is created.',
} as const;

/** Measurements that the real service takes from the container's type. */
const measures: Fields = {
  dimensions: { ...DIMENSIONS, ...GIVEN_HERE },
  tareWeight: { ...DECIMAL, ...GIVEN_HERE },
  netWeight: { ...DECIMAL, ...GIVEN_HERE },
  outerVolume: { ...DECIMAL, ...GIVEN_HERE },
  platformType: { ...enumType(CONTAINER_PLATFORM_TYPE), ...GIVEN_HERE },
};

const resource: Resource = {
  name: 'ShippingContainer',
  fields: { ...shippingContainerFields, ...measures },
  alternatives: [['containerTypeName', 'containerTypeId']],
  references: [
    {
      id: 'shipmentId',
      key: 'shipmentNumber',
      to: 'Shipment',
      needed: true,
      shows: ['carrierName', 'carriersShipmentNumber', 'customerNumber'],
    },
  ],
};

/** A parcel or pallet of a shipment. */
export const shippingContainers: Kind<ContainerRow> = {
  resource,
  table: (store) => store.shippingContainers,
  creating: (_ims, _contextId, { given }) => {
    const { containerTypeId, containerTypeName } = given;
    if ((containerTypeId ?? containerTypeName ?? null) === null)
      throw new ImsRefusal('invalid', 'ShippingContainer', 'Give containerTypeId or containerTypeName.');
    return { containerTypeId: containerTypeId ?? 1, containerTypeName: containerTypeName ?? 'Box' };
  },
  removing: (ims, row) => {
    if (contentsOf(ims, row).length > 0)
      throw new ImsRefusal('invalid', 'ShippingContainer', `Container ${row.id} is not empty.`);
  },
  computed: (ims, row) => ({ ...weightsOf(ims, row), volume: row['volume'] ?? litresIn(row['dimensions']) }),
};

export function containersOf(ims: Pick<Ims, 'store'>, shipment: ShipmentRow): readonly ContainerRow[] {
  return ims.store.shippingContainers.where(shipment.contextId, 'shipmentId', shipment.id);
}

/** The weights, in kilograms. An entered weight takes precedence over the computed one. */
function weightsOf(ims: Ims, row: ContainerRow): JsonMembers {
  const packed = contentsOf(ims, row);
  const content = sum(packed.map((instance) => Number(instance['weight'] ?? 0)));
  const netWeight = row['netWeight'] ?? (packed.length === 0 ? null : rounded(content));
  const computed = typeof netWeight === 'number' ? rounded(netWeight + Number(row['tareWeight'] ?? 0)) : null;
  return {
    netWeight,
    grossWeight: row['weight'] ?? row['grossWeight'] ?? computed,
    numGlobalTradeItemInstances: packed.length,
  };
}

/** The volume in litres for dimensions in metres; `null` unless all three are known. */
function litresIn(dimensions: Json | undefined): number | null {
  const { length, width, height } = membersOf(dimensions);
  if (typeof length !== 'number' || typeof width !== 'number' || typeof height !== 'number') return null;
  return rounded(length * width * height * LITRES_IN_A_CUBIC_METRE);
}

function contentsOf(ims: Ims, row: ContainerRow) {
  return ims.store.instances
    .where(row.contextId, 'shippingContainerId', row.id)
    .filter((instance) => instance['undone'] !== true);
}

/** Rounds to three decimals. */
function rounded(measure: number): number {
  return Math.round(measure * 1000) / 1000;
}
