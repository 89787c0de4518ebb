export const returnLabels = `
-- A label with which a recipient sends a parcel back. The row is stored before the carrier is asked for the label, and is
-- deleted when certainly nothing was made: it stands in the way of a second request. No reference to consignment: a booking
-- that another consignment takes over keeps its returns.
create table return_label (
  account          text not null,
  booked_reference text not null,        -- of the request that booked the parcel
  parcel_id        text not null,        -- the container in the IMS
  attempt          text not null,        -- identifies the one request to the carrier
  consignment_id   text not null,        -- for which it was asked for
  reference        text not null,        -- its own at the carrier
  state            text not null,        -- asking, in-doubt, made
  booking          jsonb,                -- as the carrier confirmed it
  label            bytea,                -- PDF; null: not had yet
  note             text,                 -- why it is in doubt, or has no label
  asked_at         timestamptz not null,
  quiet_from       timestamptz not null, -- the carrier has certainly ended its work on the request
  updated_at       timestamptz not null,
  primary key (account, booked_reference, parcel_id)
);
create unique index return_label_attempt on return_label (attempt);
create unique index return_label_reference on return_label (reference collate "C", account);
`;
