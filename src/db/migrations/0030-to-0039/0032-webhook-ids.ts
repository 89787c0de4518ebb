export const webhookIds = `
-- What a receiver tells repetitions by. The numbers of these tables come a second time after a backup was restored.
-- Null in rows that are older than the column.
alter table webhook_delivery add column webhook_id uuid;
alter table webhook_delivery alter column webhook_id set default gen_random_uuid();
alter table alert add column webhook_id uuid;
alter table alert alter column webhook_id set default gen_random_uuid();
`;
