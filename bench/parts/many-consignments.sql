-- Multiplies what was really booked: every row that is there is a model, and each made consignment takes one of them in
-- turn with ids, numbers and times of its own. ":count" is replaced by how many.
-- 1 of 100 has ended as incomplete, 1 of 200 as refused; parcels of the last fiftieth are still on their way.
create temporary table model_consignment as
  select c.*, row_number() over (order by c.created_at, c.id) - 1 as place, count(*) over () as of_all from consignment c
   where c.state = 'closed';

create temporary table made as
  select i, model.id as model_id, model.document_id as model_document,
         coalesce((select p.tracking_number from tracked_parcel p where p.consignment_id = model.id order by p.id limit 1), '-')
           as model_number,
         'made-' || i as id, (1 + i % 40)::text as area, (50000000 + i)::text as document_id,
         (70000000 + i)::text as shipment_id, 'M' || (1000000 + i) as shipment_number, 'made-event-' || i as event_id,
         'MT' || (100000000 + i) as tracking_number, 'MC' || (100000000 + i) as carrier_number,
         now() - (:count - i) * interval '7 seconds' - interval '1 hour' as at
    from generate_series(1, :count) i
    join model_consignment model on model.place = i % model.of_all;
analyze made;

insert into event
select row.* from made join consignment c on c.id = made.model_id join event e on e.event_id = c.event_id
 cross join lateral jsonb_populate_record(e, jsonb_build_object('event_id', made.event_id, 'area', made.area,
   'document_id', made.document_id, 'shipment_id', made.shipment_id, 'received_at', made.at, 'occurred_at', made.at)) row;

insert into consignment
select row.* from made join consignment c on c.id = made.model_id
 cross join lateral jsonb_populate_record(c, jsonb_build_object('id', made.id, 'area', made.area,
   'document_id', made.document_id, 'shipment_id', made.shipment_id, 'shipment_number', made.shipment_number,
   'event_id', made.event_id, 'reference', made.shipment_number, 'carrier_number', made.carrier_number,
   'state', case when i % 100 = 0 then 'incomplete' when i % 200 = 1 then 'refused' else c.state end,
   'parts', replace(c.parts::text, '"' || made.model_number || '"', '"' || made.tracking_number || '"')::jsonb,
   'tracked_version', c.version, 'run_started_at', made.at, 'created_at', made.at, 'updated_at', made.at)) row;

insert into label (consignment_id, n, k, bytes, sha256, pages, created_at)
select made.id, n, k, '\x255044462d', sha256, pages, made.at from made join label on consignment_id = made.model_id;

insert into journal (consignment_id, at, what, fields)
select made.id, made.at, what, fields from made join journal on consignment_id = made.model_id order by made.i, journal.id;

insert into task (id, kind, area, shipment_id, document_id, state, created_at)
select 'made-task-' || i, 'choose-carrier', area, shipment_id, null, 'done', at from made;

insert into carrier_setting (area, shipment_id, carrier_name, account, provisional, landed, decided_at, set_at)
select area, shipment_id, 'Pretend', 'pretend', false, true, 'booking', at from made;

insert into tracked_parcel (account, tracking_number, consignment_id, area, container_id, shipment_id, shipment_number,
                            carrier_name, event_id, status, status_at, ended_at, registered_at)
select c.account, made.tracking_number, made.id, made.area, '9' || made.document_id, made.shipment_id, made.shipment_number,
       'Pretend', made.event_id, case when i < :count * 0.98 then 'delivered' else 'in-transit' end, made.at,
       case when i < :count * 0.98 then made.at end, made.at
  from made join consignment c on c.id = made.model_id;

insert into tracking_event (account, tracking_number, dedupe, status, code, at, moment, zone, received_at)
select account, tracking_number, 'made:' || n, 'in-transit', 'TRN', registered_at::text, registered_at, 'stated', registered_at
  from tracked_parcel, generate_series(1, 2) n where consignment_id like 'made-%' order by tracked_parcel.id;

insert into callback (account, hash, body, state, received_at)
select 'pretend', 'made:' || i, '\x7b7d', 'applied', at from made;

insert into tracking_outbox (parcel_id, kind, status, area, shipment_id, state, created_at)
select id, 'message', 'delivered', area, shipment_id, 'done', registered_at from tracked_parcel where consignment_id like 'made-%';

insert into webhook_delivery (subscriber_id, event_id, parcel_id, status, state, due_at, created_at, ended_at)
select s.id, e.id, p.id, e.status, 'done', e.received_at, e.received_at, e.received_at
  from tracking_event e join tracked_parcel p on p.account = e.account and p.tracking_number = e.tracking_number,
       lateral (select id from subscriber limit 1) s
 where e.dedupe = 'made:1';

insert into sent_message (area, topic, told_at) select area, 'made:' || i, at from made;

insert into handover (area, document_id, account, list, close_out, attachment, created_at)
select area, document_id, 'pretend',
       jsonb_build_object('account', 'pretend', 'carrierName', 'Pretend', 'documentId', document_id, 'sender', '["Fjord Outdoor"]'::jsonb,
         'handedOverAt', to_char(at, 'YYYY-MM-DD HH24:MI'), 'words', '{}'::jsonb,
         'consignments', jsonb_build_array(jsonb_build_object('consignmentId', id, 'shipmentNumber', shipment_number,
           'carrierNumber', carrier_number, 'parcels', jsonb_build_array(jsonb_build_object('trackingNumber', tracking_number,
             'weightGrams', 2450))))),
       'done', 'done', at from made where i % 20 = 0;

drop table made, model_consignment;
analyze;
