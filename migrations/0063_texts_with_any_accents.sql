-- Lists find text whatever its accents, by a regular expression over the texts and trigrams that are there: no row is written. As with
-- `like` (0005_invoice_filters.sql), row-level security lets an index serve it only where it is marked leakproof. Its errors are of the
-- pattern, which the service makes, or of memory; none tells of a row. Saying so is a superuser's right; where the owner is none,
-- text in the middle of a long list reads its rows.
do $$
begin
  if (select rolsuper from pg_roles where rolname = current_user) then
    alter function pg_catalog.textregexeq(text, text) leakproof;
  end if;
end $$;
