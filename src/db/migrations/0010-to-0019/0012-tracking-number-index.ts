export const trackingNumberIndex = `
-- What has no tracking number yet stands under one key for "none", where every change of every consignment adds an entry:
-- only what has one is in the index.
drop index consignment_tracking_number;
create index consignment_tracking_number on consignment
  using gin (jsonb_path_query_array(parts, '$[*].booking.parcels[*].trackingNumber')) with (fastupdate = off)
  where jsonb_path_exists(parts, '$[*].booking.parcels[*].trackingNumber');
`;
