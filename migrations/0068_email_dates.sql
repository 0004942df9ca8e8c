-- What the header Date says at every attempt. Null until the first one, and of messages that the version before tried.
alter table emails add column dated_at timestamptz;
grant update (dated_at) on emails to folio_service;
