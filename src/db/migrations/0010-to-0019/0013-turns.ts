export const turns = `
-- Two bookings of one shipment that are planned in the same moment want the same turn: one of them gets it.
create unique index consignment_turn on consignment (area, shipment_id, (plan->'plan'->>'turn'))
  where reference is not null and plan->'plan'->>'turn' is not null;
`;
