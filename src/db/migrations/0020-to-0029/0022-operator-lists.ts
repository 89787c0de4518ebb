export const operatorLists = `
-- What needs a person, which is little beside what ships by itself: bookings on their way write none of these.
create index consignment_needs_operator on consignment (created_at desc, id desc) where waits_for_person;
create index handover_failed on handover (id)
  where close_out in ('refused', 'given-up') or attachment in ('refused', 'given-up');
create index webhook_delivery_dead_by_time on webhook_delivery (id) where state = 'dead';

-- Operators search by the beginning of a recipient's name. A row has the name once it is planned.
create index consignment_recipient on consignment (lower(parts #>> '{0,request,recipient,address,name}') collate "C")
  where reference is not null;
`;
