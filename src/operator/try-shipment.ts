import type { Sql } from '../db/database.js';
import { isImsError } from '../consignment/steps/ims-failure.js';
import type { ShipmentExplanation } from './explain.js';

const ID = /^[\w-]{1,100}$/;

export type Tried =
  | { readonly kind: 'explained'; readonly explanation: ShipmentExplanation }
  /** In words. */
  | { readonly kind: 'not-read'; readonly because: string };

/** @param shipment the id of a shipment in the IMS, or the number of one that was booked before */
export type TryShipment = (area: string, shipment: string) => Promise<Tried>;

export interface TryDeps {
  readonly database: Sql;
  /** Only reads. */
  readonly explain: (area: string, shipmentId: string) => Promise<ShipmentExplanation>;
}

/** Shows what the rules make of a shipment; changes nothing. */
export function shipmentTrial({ database, explain }: TryDeps): TryShipment {
  return async (area, shipment) => {
    const [known] = await database.query<{ shipment_id: string }>(
      `select shipment_id from consignment where shipment_number = $1 and area = $2 and shipment_id is not null
        order by created_at desc limit 1`,
      [shipment, area],
    );
    const id = known?.shipment_id ?? shipment;
    if (!ID.test(id)) return { kind: 'not-read', because: 'A shipment has an id of letters and digits.' };
    try {
      return { kind: 'explained', explanation: await explain(area, id) };
    } catch (error) {
      if (!isImsError(error)) throw error;
      return { kind: 'not-read', because: error.message };
    }
  };
}
