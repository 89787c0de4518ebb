import { isRefused, sqlStatesThat } from '../states.js';

const STANDS = sqlStatesThat(({ booking }) => booking !== 'nothing-booked');

const REFUSED = sqlStatesThat(isRefused);

/**
 * SQL about a row `c` of `consignment`: no later booking of its shipment settles it, and of a refused one no later run of
 * an earlier booking either.
 */
export const NOT_BOOKED_SINCE = `not exists (select from consignment later
   where later.shipment_id = c.shipment_id and later.area = c.area and later.state in ${STANDS}
     and case when c.state in ${REFUSED} then later.run_started_at else later.created_at end > c.created_at)`;
