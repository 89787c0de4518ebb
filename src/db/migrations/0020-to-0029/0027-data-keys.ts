export const dataKeys = `
-- Ids of the keys (DATA_KEY) that have sealed values in this database. A start without one of them is refused.
create table data_key (
  id            text primary key,        -- the beginning of the key's SHA-256
  first_used_at timestamptz not null,
  sealed_all_at timestamptz              -- every value is sealed with it: other keys are needed no more
);

-- How far the values of each table are sealed with a key.
create table data_key_progress (
  key_id     text not null,
  table_name text not null,
  after      text,                       -- the key of the last row; null: none yet
  is_done    boolean not null,
  primary key (key_id, table_name)
);

-- For what is deleted by its age.
create index consignment_request_texts on consignment_request (at) where texts is not null;
`;
