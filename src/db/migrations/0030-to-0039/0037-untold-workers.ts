export const untoldWorkers = `
-- Bookings that are in no list of failures, with a message to a worker that the IMS did not take.
create index consignment_untold on consignment (updated_at, id)
  where state in ('closed', 'cancelled', 'set-aside')
    and effects @? '$[*] ? ((@.state == "failed" || @.state == "not-allowed") && (@.call.kind == "message" || @.call.kind like_regex "-notice$"))';
`;
