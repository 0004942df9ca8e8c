-- Test events can be listed apart at any size of the log. They are few beside the real ones.
create index events_of_test on events (company_id, id) where is_test;
