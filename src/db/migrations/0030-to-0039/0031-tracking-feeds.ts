export const trackingFeeds = `
-- Of an account whose carrier tells what changed in the whole account: where its next answer begins.
create table tracking_feed (
  account      text primary key,
  -- the carrier's; null before the first answer
  cursor       text,
  -- the next call; moved ahead while an instance makes one, so that no other does
  due_at       timestamptz not null,
  calls_failed int not null default 0
);
`;
