-- Filters that found their rows by reading the list (ADR 16). What becomes of a record is in its sending; one that is kept never
-- changes. Invoices in euros have an index too: a company may have next to none. (Those in other currencies: migration 0020.)
create index verifactu_sendings_by_change on verifactu_sendings
  (company_id, (greatest(created_at, sent_at, answered_at)), record_id);
create index verifactu_records_kept_by_time on verifactu_records (company_id, recorded_at, id) where mode = 'no_verifactu';
create index invoices_in_euros on invoices (company_id, id) where currency = 'EUR';
