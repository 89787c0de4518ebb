import { isRefused, sqlStatesThat } from '../states.js';

const STANDS = sqlStatesThat(({ booking }) => booking !== 'nothing-booked');

const REFUSED = sqlStatesThat(isRefused);

/**
 * SQL about a row `c` of `consignment`: no booking of its shipment that came after it is booked or under way. A refused row
 * counts as booked since also where an earlier booking began a new run after it.
 */
export const NOT_BOOKED_SINCE = `not exists (select from consignment later
   where later.shipment_id = c.shipment_id and later.area = c.area and later.state in ${STANDS}
     and case when c.state in ${REFUSED} then later.run_started_at else later.created_at end > c.created_at)`;
