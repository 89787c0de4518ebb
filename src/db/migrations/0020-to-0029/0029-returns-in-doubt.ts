export const returnsInDoubt = `
-- Return labels whose making is not settled, which are few.
create index return_label_not_made on return_label (asked_at) where state <> 'made';
`;
