import { sqlStatesThat } from '../states.js';

const STANDS = sqlStatesThat(({ booking }) => booking !== 'nothing-booked');

/** SQL about a row `c` of `consignment`: no later booking of its shipment settles it. */
export const NOT_BOOKED_SINCE = `not exists (select from consignment later
   where later.shipment_id = c.shipment_id and later.area = c.area and later.created_at > c.created_at
     and later.state in ${STANDS})`;
