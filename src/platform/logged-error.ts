/**
 * An error as the log shows it. PostgreSQL puts values of rows into `detail`, `where`, `hint` and the statement, so
 * only what names no value is kept.
 */
const kept = [
  'code',
  'severity_local',
  'schema_name',
  'table_name',
  'column_name',
  'constraint_name',
  'routine',
  'syscall',
  'errno',
  'status',
  'statusCode',
] as const;

const depthMax = 5;

export function loggedError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return typeof error === 'object' && error !== null ? {} : error;
  const given = error as Error & Record<string, unknown>;
  const out: Record<string, unknown> = {
    type: given.constructor?.name ?? given.name,
    message: given.message,
    stack: given.stack,
  };
  for (const name of kept) if (given[name] !== undefined) out[name] = given[name];
  if (depth >= depthMax) return out;
  if (given.cause !== undefined) out.cause = loggedError(given.cause, depth + 1);
  if (given instanceof AggregateError)
    out.errors = given.errors.slice(0, 10).map((one) => loggedError(one, depth + 1));
  return out;
}
