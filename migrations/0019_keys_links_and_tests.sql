-- Test events can be listed apart at any size of the log. They are few beside the real ones.
create index events_of_test on events (company_id, id) where is_test;

-- A company's keys in force are counted at each new one. Those that ended stay for ever.
create index api_keys_in_force on api_keys (company_id, expires_at) where revoked_at is null;
