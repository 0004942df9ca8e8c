-- What an issued invoice says can be inserted and read by the service, and not changed: neither by a fault of ours nor
-- by whoever comes by the service's access (RD 1007/2023, art. 8). A draft that changes is deleted and inserted again,
-- with its id. What may change after the issue, and nothing else, is granted: src/modules/invoices/invoices.rows.ts
-- has the same list, and a test compares the two.

revoke update on invoices from folio_service;
grant update (version, status, paid_amount, corrected_amount, carried_amount, settled_in_id, corrective_ids,
              substituted_by_id, metadata, tags, custom_fields, sent_at, has_record, updated_at) on invoices to folio_service;
-- Only drafts are deleted: what has a number stays.
create policy only_drafts on invoices as restrictive for delete using (number is null);

-- Lines and breakdown go with their draft, by the foreign key, and in no other way.
revoke update, delete on invoice_lines, invoice_tax_rows from folio_service;

-- A payment is voided, not changed and not deleted.
revoke update, delete on payments from folio_service;
grant update (is_reversed, reversed_at, reversal_reason, reversal_note, updated_at) on payments to folio_service;
