export const carrierSettings = `
-- The carrier that we have set on a shipment, or are about to: a row is there before the IMS is asked to change anything.
create table carrier_setting (
  area         text not null,
  shipment_id  text not null,
  carrier_name text not null,            -- as it stands in the IMS
  account      text not null,
  rule         text,
  provisional  boolean not null,         -- chosen again when the transport is booked
  instead_of   text,                     -- the carrier that the shipment had when this was decided
  landed       boolean not null,         -- the IMS has confirmed it
  decided_at   text not null,            -- creation, booking
  set_at       timestamptz not null,
  primary key (area, shipment_id)
);
-- What an errand has told already, as digests: trying it again tells nothing twice.
alter table errand add column told jsonb not null default '[]';
`;
