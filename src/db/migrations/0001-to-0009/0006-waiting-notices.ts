export const waitingNotices = `
-- When telling a worker that it takes longer is tried again; waiting_told_at says that it was taken.
alter table consignment add column waiting_told_again_at timestamptz;
`;
