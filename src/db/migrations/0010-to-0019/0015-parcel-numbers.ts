export const parcelNumbers = `
-- Which parcel on its way has a carrier's number. A booking claims its numbers in the statement that stores it: of two that
-- claim one number in the same moment one is told, and a number of another parcel is not believed.
create table parcel_number (
  account         text not null,
  tracking_number text not null,
  area            text not null,
  container_id    text not null,
  consignment_id  text not null,          -- null would be written where the number is not free, which ends the statement
  taken_at        timestamptz not null,
  primary key (account, tracking_number)
);
create index parcel_number_taken_at on parcel_number (taken_at);

-- Of parcels that are followed already, and of bookings that have not come so far.
insert into parcel_number (account, tracking_number, area, container_id, consignment_id, taken_at)
select account, tracking_number, area, container_id, consignment_id, registered_at
  from tracked_parcel where ended_at is null and replaced_at is null
on conflict do nothing;
insert into parcel_number (account, tracking_number, area, container_id, consignment_id, taken_at)
select c.account, parcel->>'trackingNumber', c.area, parcel->>'parcelId', c.id, c.updated_at
  from consignment c, jsonb_array_elements(c.parts) part, jsonb_array_elements(part->'booking'->'parcels') parcel
 where c.account is not null and c.tracked_version is null and c.state not in ('refused', 'cancelled', 'set-aside')
   and part->>'state' = 'booked' and parcel->>'kind' = 'booked' and parcel->>'trackingNumber' is not null
on conflict do nothing;
`;
