export const inbox = `
-- What came in, newest first; the filters of the list are read from the index alone, since a body can be long.
create index event_listed on event (received_at desc, event_id desc) include (area, event_type, outcome);
create index event_document on event (document_id) where document_id is not null;

-- Work that was given up, which is little.
create index task_given_up on task (created_at, id) where state = 'given-up';

-- Parcels by status, newest first.
create index tracked_parcel_status on tracked_parcel (status, id desc) where replaced_at is null;
`;
