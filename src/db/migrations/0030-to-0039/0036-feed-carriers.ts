export const feedCarriers = `
-- The carrier whose cursor it is; null: written by a version without the column, which is taken for the carrier by now.
alter table tracking_feed add carrier_id text;
`;
