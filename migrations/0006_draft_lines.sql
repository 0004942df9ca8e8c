-- What a stored line said itself, so that a draft edited and issued later is the invoice that one call would have
-- made: a key that only follows from the rest is none that a line declares (specification, operation_on), and a
-- surcharge that only follows from the client goes with the client. Lines of before count as saying what they have.
alter table invoice_lines
  add column is_regime_key_stated boolean not null default true,
  add column is_surcharge_stated boolean not null default true;

-- Who issues in the series (RD 1619/2012, art. 6.1.a: one series for the issuer, for each recipient and for each
-- third party): the issuer, a recipient by its contact or a third party by its tax id. The same in all its periods.
alter table series_counters add column issued_by text not null default 'issuer';
