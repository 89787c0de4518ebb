export const webhookIdsWritten = `
-- The statements that insert write the id. A default gave one also to rows of an instance of a version without the column,
-- which sends them under the row's number: after an upgrade a receiver had the same webhook under two ids.
alter table webhook_delivery alter column webhook_id drop default;
alter table alert alter column webhook_id drop default;
`;
