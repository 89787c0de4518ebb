export const indexes = `
-- Whoever looks for a document, a shipment or a reference does not always know the area or the account: the number comes
-- first. References of one shipment begin alike, and in the order of bytes those stand together.
drop index consignment_document;
create unique index consignment_document on consignment (document_id, area) where document_id is not null;
drop index consignment_shipment;
create index consignment_shipment on consignment (shipment_id, area);
drop index consignment_reference;
create unique index consignment_reference on consignment (reference collate "C", account) where reference is not null;

-- Every change of a consignment writes all of its indexes: one that is brought up to date later would do that in one go,
-- while somebody waits.
create index consignment_tracking_number on consignment
  using gin (jsonb_path_query_array(parts, '$[*].booking.parcels[*].trackingNumber')) with (fastupdate = off)
  where reference is not null;

-- What an instance holds is found at its start and at its end.
create index errand_lease on errand (lease_owner) where lease_owner is not null;
create index tracking_notice_lease on tracking_notice (lease_owner) where lease_owner is not null;
create index onward_delivery_lease on onward_delivery (lease_owner) where lease_owner is not null;

-- Open parcels of an account that nobody is asked for.
create index tracked_parcel_unasked on tracked_parcel (account) where ended_at is null and next_ask_at is null;
`;
