-- What few lines have: variant, presentation, options, expenses charged on, pack, and the line of another document that they
-- come from. Null in a plain line. They are read with their line alone, so one value holds them.
alter table invoice_lines add column details jsonb;
