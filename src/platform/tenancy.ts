/**
 * The closed lists of the scale page: tables without row-level security, and the few transactions that
 * touch more than one company. A test compares the first with the database's own catalogue.
 */

/** Tables without a company of their own or without row-level security, and why. */
export const indexTables = {
  credentials: 'found by the hash of a secret, before any company is known',
  company_children: 'ids: which companies a master key may work for',
  rate_windows: 'counts of a key per minute',
  due_work: 'ids, due times and leases of all companies, for the claim loop',
  schema_migrations: 'state of the migrations',
} as const;

/** Transactions that set more than one company, one after the other (scale rule 8). */
export const crossCompanyTransactions = {
  create_company: 'a company, its sandbox twin and their first keys',
  issue_key: 'a key row under its owner and its credential',
  audit_test_key: 'what a test key does to keys of its account, told in the log of its sandbox',
  change_plan: 'plan and boost of a company, its sandbox twin and their credentials',
  claim_due_work: 'candidates of all companies',
} as const;
