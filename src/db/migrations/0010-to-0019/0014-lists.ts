export const lists = `
-- The operator's list of one area's consignments in one state, newest first.
create index consignment_area_state on consignment (area, state, created_at desc, id desc);
`;
