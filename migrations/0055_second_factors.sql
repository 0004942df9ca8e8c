-- What proves a person besides their password (ADR 63): a code of an application (RFC 6238), a passkey (Web Authentication), and codes
-- for when both are lost.

-- Base32, sealed. A pending one counts once a code of it was typed.
alter table users add column totp_secret bytea;
alter table users add column totp_pending bytea;
-- A step of 30 seconds counts once.
alter table users add column totp_last_step bigint;

create table user_passkeys (
  credential_id bytea primary key,
  id uuid not null,
  user_id uuid not null,
  name text not null,
  -- COSE.
  public_key bytea not null,
  counter bigint not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index user_passkeys_by_user on user_passkeys (user_id);
select distribute('user_passkeys', 'index');

-- HMAC of each code under a key of the installation.
create table user_recovery_codes (
  user_id uuid not null,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);
select distribute('user_recovery_codes', 'index');

-- Challenges that were answered rightly: each counts once.
create table passkey_challenges (
  challenge_hash bytea primary key,
  expires_at timestamptz not null
);
create index passkey_challenges_by_age on passkey_challenges (expires_at);
select distribute('passkey_challenges', 'index');
