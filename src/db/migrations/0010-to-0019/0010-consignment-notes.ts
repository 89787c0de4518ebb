export const consignmentNotes = `
-- What an event says left by a consignment note: bookings that have not ended by then are handed over when they have.
create table consignment_note (
  area         text not null,
  document_id  text not null,
  shipment_ids jsonb not null,
  left_at      timestamptz not null,
  created_at   timestamptz not null,
  primary key (area, document_id)
);

-- For lists of hand-overs, newest first. close_out and attachment may be "superseded" and attachment "given-up" too.
alter table handover add column id bigint generated always as identity;
create unique index handover_id on handover (id);
`;
