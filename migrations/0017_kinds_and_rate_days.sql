-- What a line sells: a good or a service (the equivalence surcharge is of goods, LIVA, art. 156). Null in lines of before,
-- which nobody was asked for. As with the regime key, what a line did not say follows again at each edit.
alter table invoice_lines
  add column kind text,
  add column is_kind_stated boolean not null default false;

-- The day of the exchange rate (LIVA, art. 79.11). Null in euros, in a draft that does not say it, and in invoices of before.
alter table invoices add column exchange_rate_on date;
