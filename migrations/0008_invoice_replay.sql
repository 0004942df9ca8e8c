-- What a replay is compared with, and where the money of an invoice is.
--
-- external_type: the type that the request of an external id asked for. A draft's type may be edited since.
-- settled_in_id: the invoice in which what is left of this one is paid: of a corrective by differences the one that it
--   corrects, of a replaced invoice (substituted ticket, original of a corrective by substitution) the one in its place.
-- carried_amount: what was paid of the invoices whose place it took.
-- corrected_amount is from now on the sum of the correctives by differences in force, and nothing else.
alter table invoices
  add column external_type text,
  add column settled_in_id uuid,
  add column carried_amount numeric(16, 2) not null default 0;

-- Company by company: the owner too sees the rows of one company at a time.
do $$
declare one uuid;
begin
  for one in select distinct c.company_id from credentials c loop
    perform set_config('app.company', one::text, true);

    update invoices set external_type = type where company_id = one and external_id is not null;

    update invoices set settled_in_id = (corrected_invoices -> 0 ->> 'id')::uuid
     where company_id = one and correction_type = 'differences' and corrected_invoices -> 0 ->> 'id' is not null;
    update invoices t set settled_in_id = s.id
      from invoices s
     where t.company_id = one and s.company_id = one and t.status = 'rectified'
       and s.correction_type = 'substitution' and s.status not in ('voided', 'annulled')
       and s.corrected_invoices -> 0 ->> 'id' = t.id::text;
    update invoices set settled_in_id = substituted_by_id
     where company_id = one and substituted_by_id is not null;

    update invoices t
       set corrected_amount = coalesce((select sum(d.amount_due) from invoices d
                                         where d.company_id = one and d.id = any (t.corrective_ids)
                                           and d.correction_type = 'differences'
                                           and d.status not in ('voided', 'annulled')), 0)
     where company_id = one and (corrected_amount <> 0 or cardinality(corrective_ids) > 0);
    -- Tickets first: a full invoice may have been substituted itself.
    update invoices t
       set carried_amount = x.paid, corrected_amount = t.corrected_amount + x.corrected
      from (select substituted_by_id as id, sum(paid_amount) as paid, sum(corrected_amount) as corrected
              from invoices where company_id = one and substituted_by_id is not null group by 1) x
     where t.company_id = one and t.id = x.id;
    update invoices t
       set carried_amount = o.paid_amount + o.carried_amount
      from invoices o
     where t.company_id = one and o.company_id = one and t.correction_type = 'substitution' and o.settled_in_id = t.id;
  end loop;
  perform set_config('app.company', '', true);
end $$;
