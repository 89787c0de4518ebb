export const carrierCircuits = `
-- Whether the carrier of an account answers, as all instances know it; no row: there was never an outage.
create table carrier_circuit (
  account text primary key,
  state   jsonb not null
);
`;
