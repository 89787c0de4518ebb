export const refusedCarriers = `
-- Why the IMS did not take the carrier that we chose; null: it did, or has not answered.
alter table carrier_setting add column refused text;
`;
