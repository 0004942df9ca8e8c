-- The logos that a company has had. An issued document names the one of its issue by its hash, in the snapshot of its
-- issuer, and is printed with it for ever, whatever the company's logo is by then. So none is changed or deleted.
--
-- A logo stored before now was not looked at: it gets its row when it is stored again, and is not printed until then.

create table company_logos (
  company_id uuid not null references companies,
  -- SHA-256 of type and bytes, in hexadecimal.
  hash text not null,
  media_type text not null check (media_type in ('image/png', 'image/jpeg', 'image/svg+xml')),
  content bytea not null,
  created_at timestamptz not null,
  primary key (company_id, hash)
);
select distribute('company_logos', 'tenant');
revoke update, delete on company_logos from folio_service;

-- Of the logo that the company has now, so that an issue copies it without reading the picture.
alter table companies add column logo_hash text;
