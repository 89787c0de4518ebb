import { sqlStatesThat } from '../consignment/states.js';

/*
 * `offset 0` makes the planner probe an index for each consignment or parcel, not read the whole table for the few of a batch.
 */

const ENDED = sqlStatesThat(({ isEnd }) => isEnd);

/**
 * SQL: whether nothing happens to consignment `c` any more and no person has to act on it: its bookings, its writes to the
 * IMS, its cancellation, its manifest, its tasks and its returns have ended.
 */
export const AT_REST = `(
  c.state in ${ENDED} and not c.waits_for_person
  and c.due_at is null and c.lease_owner is null and c.cancel_wanted is null
  and not exists (select from jsonb_array_elements(c.effects) effect where effect->>'state' in ('open', 'sent'))
  and not exists (select from jsonb_array_elements(c.parts) part where part->>'state' in ('sending', 'in-doubt'))
  and not exists (select from handover h
                   where h.area = c.area and h.document_id = c.handed_over_by and 'open' in (h.close_out, h.attachment) offset 0)
  and not exists (select from task t where t.area = c.area and t.document_id = c.document_id and t.state = 'open' offset 0)
  and not exists (select from task t where t.area = c.area and t.document_id = c.handed_over_by and t.state = 'open' offset 0)
  and not exists (select from task t where t.area = c.area and t.shipment_id = c.shipment_id and t.state = 'open' offset 0)
  and not exists (select from return_label r where r.consignment_id = c.id and r.state <> 'made' offset 0))`;

/** SQL: whether the parcels of consignment `c` have ended, and all that was to be said of them has been sent. */
export const PARCELS_ENDED = `(
  (c.tracked_version is not distinct from c.version or c.state not in ${sqlStatesThat(({ isTracked }) => isTracked)})
  and not exists (
    select from tracked_parcel p
     where p.consignment_id = c.id
       and (p.ended_at is null and p.replaced_at is null
            or exists (select from tracking_outbox o where o.parcel_id = p.id and o.state = 'open' offset 0)
            or exists (select from webhook_delivery d where d.parcel_id = p.id and d.state = 'open' offset 0))))`;
