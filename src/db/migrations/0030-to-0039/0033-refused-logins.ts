export const refusedLogins = `
-- The carrier of an account refuses the login of requests about parcels. Gone when it answers again; a refusal that still
-- stands is noted again before the time is over.
create table tracking_login_refused (
  account text primary key,
  until   timestamptz not null
);
`;
