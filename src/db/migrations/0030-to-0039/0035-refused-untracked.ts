export const refusedUntracked = `
-- Refused consignments that changed since their parcels were registered: their cancelled parcels are ended.
create index consignment_refused_untracked on consignment (id)
  where state = 'refused' and parts @> '[{"state": "cancelled"}]' and tracked_version is distinct from version;
`;
