/** Ledgers of the first minutes of 0.1.0 were made without it. */
export const carrierName = `
alter table consignment add column if not exists carrier_name text;
`;
