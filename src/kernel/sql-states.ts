/** The error codes of PostgreSQL (its Appendix A) that the service looks at. */
export const sqlStates = {
  read_only_transaction: '25006',
  transaction_failed: '25P02',
  foreign_key_violation: '23503',
  wrong_user: '28000',
  wrong_password: '28P01',
  no_such_database: '3D000',
  deadlock: '40P01',
  not_allowed: '42501',
  disk_full: '53100',
  too_many_connections: '53300',
  lock_not_available: '55P03',
  query_canceled: '57014',
  cannot_connect_now: '57P03',
} as const;
