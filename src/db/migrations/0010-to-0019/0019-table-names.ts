/**
 * Instances of the version before go on working beside newer ones until they are replaced: they find each table as a view
 * under the name that they know. Postgres writes through such views, locks the rows behind them, and finds their keys.
 */
export const tableNames = `
alter table errand rename to task;
alter index errand_pkey rename to task_pkey;
alter index errand_due rename to task_due;
alter index errand_document rename to task_document;
alter index errand_shipment rename to task_shipment;
alter index errand_lease rename to task_lease;
create view errand as select * from task;

alter table notice rename to sent_message;
alter index notice_pkey rename to sent_message_pkey;
create view notice as select * from sent_message;

alter table lost_event_sweep rename to missed_event_sweep;
alter index lost_event_sweep_pkey rename to missed_event_sweep_pkey;
alter table missed_event_sweep rename column taken_up to recovered;
create view lost_event_sweep as select area, next_at, seen, recovered as taken_up from missed_event_sweep;

alter table tracking_notice rename to tracking_outbox;
alter index tracking_notice_pkey rename to tracking_outbox_pkey;
alter index tracking_notice_parcel_id_kind_status_key rename to tracking_outbox_parcel_id_kind_status_key;
alter index tracking_notice_due rename to tracking_outbox_due;
alter index tracking_notice_kept rename to tracking_outbox_kept;
alter index tracking_notice_lease rename to tracking_outbox_lease;
alter index tracking_notice_given_up rename to tracking_outbox_given_up;
alter sequence tracking_notice_id_seq rename to tracking_outbox_id_seq;
create view tracking_notice as select * from tracking_outbox;

alter table onward_delivery rename to webhook_delivery;
alter index onward_delivery_pkey rename to webhook_delivery_pkey;
alter index onward_delivery_subscriber_id_event_id_status_key rename to webhook_delivery_subscriber_id_event_id_status_key;
alter table webhook_delivery rename constraint onward_delivery_subscriber_id_fkey to webhook_delivery_subscriber_id_fkey;
alter index onward_delivery_due rename to webhook_delivery_due;
alter index onward_delivery_parcel rename to webhook_delivery_parcel;
alter index onward_delivery_dead rename to webhook_delivery_dead;
alter index onward_delivery_ended rename to webhook_delivery_ended;
alter index onward_delivery_lease rename to webhook_delivery_lease;
alter sequence onward_delivery_id_seq rename to webhook_delivery_id_seq;
create view onward_delivery as select * from webhook_delivery;
`;
