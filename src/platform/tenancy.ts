/** Two closed lists (docs/sql-rules.md, rules 6 and 8). A test compares the first with the database's catalogue. */

/** Tables without row-level security, and why. */
export const indexTables = {
  credentials: 'found by the hash of a secret, before any company is known',
  oauth_client_index: 'ids: the company of the application that presents itself',
  oauth_codes: 'found by the hash of a code, before any company is known',
  oauth_documents: 'what applications say of themselves in public; they belong to no company',
  oauth_refresh_tokens: 'found by the hash of a token, before any company is known',
  company_children: 'ids: which companies a master key may work for',
  rate_windows: 'counts of a key per minute',
  users: 'persons, who belong to no company',
  user_emails: 'found by the address that somebody signs in with',
  user_companies: 'ids: the companies where a person may have a role',
  sessions: 'found by the hash of a cookie; it belongs to a person',
  user_passkeys: 'found by the id that an authenticator says; it belongs to a person',
  user_recovery_codes: 'hashes, found by the person',
  passkey_challenges: 'hashes of challenges that were answered',
  account_emails: 'messages about accounts, sealed, each found when it is due',
  account_entries: 'changes of accounts, for the log of each company of the person, found when they are due',
  sign_in_tries: 'counts of an address in a quarter of an hour',
  account_links: 'found by the hash of the secret in a link, by somebody who is not signed in',
  watched: 'ids, counts and days of what waits for somebody, for monitors',
  due_work: 'ids, due times and leases of all companies, for the claim loop',
  schema_migrations: 'state of the migrations',
  service_secrets: 'secrets of the installation, sealed; they belong to no company',
} as const;

/** Files whose transactions set several companies, one after the other, and why. */
export const crossCompanyFiles = {
  'modules/companies/companies.store.ts':
    'a company, its sandbox twin and their first keys are made together',
  'modules/companies/operate-companies.ts':
    'plan and boost stand on a company, its sandbox and their credentials',
  'modules/people/members/person-caller.ts':
    'the role of a person stands on the live company, and the call may be of its sandbox',
  'platform/company-row.ts': 'a key belongs to the live company and follows the clock of the one it opens',
  'platform/read-as-each.ts': 'the companies of one person, read one after the other in one message',
  'platform/call-context.ts': 'what a test key does to keys of its account is told in the log of its sandbox',
} as const;
