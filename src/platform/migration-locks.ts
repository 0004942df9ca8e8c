/**
 * What a migration does to the tables that are there, as its statements say: which locks it takes (PostgreSQL's manual,
 * 13.3), and whether a table is read through or written anew meanwhile. A migration is one transaction, so a lock lasts to its end.
 */

/** From the weakest to the strongest. Weaker ones stop nobody. */
export const lockModes = [
  'ROW EXCLUSIVE',
  'SHARE UPDATE EXCLUSIVE',
  'SHARE',
  'SHARE ROW EXCLUSIVE',
  'ACCESS EXCLUSIVE',
] as const;

export type LockMode = (typeof lockModes)[number];

/** Of the whole table; `rows`: of some rows. */
type Work = 'none' | 'rows' | 'read' | 'rewritten';

const works: readonly Work[] = ['none', 'rows', 'read', 'rewritten'];

export type TableLock = { table: string; lock: LockMode; work: Work };

/** Who waits while the lock is held. */
export const waiting: Readonly<Record<LockMode, string>> = {
  'ROW EXCLUSIVE': 'whoever writes the same rows',
  'SHARE UPDATE EXCLUSIVE': 'nobody',
  SHARE: 'writes',
  'SHARE ROW EXCLUSIVE': 'writes',
  'ACCESS EXCLUSIVE': 'reads and writes',
};

/** Without comments, in lower case, each with one blank between words. The text in dollars is part of its statement. */
function statementsOf(text: string): string[] {
  const statements: string[] = [];
  let now = '';
  const token = /--[^\n]*|'[^']*'|\$\w*\$|;|[^-'$;]+|[-$]/g;
  let inside: string | null = null;
  for (const [piece] of text.matchAll(token)) {
    if (piece.startsWith('--')) continue;
    if (/^\$\w*\$$/.test(piece)) inside = inside === null ? piece : inside === piece ? null : inside;
    if (piece === ';' && inside === null) {
      statements.push(now);
      now = '';
    } else now += piece;
  }
  return [...statements, now].map((one) => one.toLowerCase().split(/\s+/).join(' ').trim());
}

const name = '(?:only )?(?:if (?:not )?exists )?"?(\\w+)"?';
const createdTable = new RegExp(`^create (?:unlogged )?table ${name}`);
const createdIndex =
  /^create (?:unique )?index (concurrently )?(?:if not exists )?\w* ?on (?:only )?"?(\w+)"?/;
const droppedIndex = new RegExp(`^drop index (concurrently )?${name}`);
const altered = new RegExp(`^alter table ${name} (.*)$`);
const droppedTable = new RegExp(`^drop table ${name}`);
const policy = /^(?:create|alter|drop) policy (?:if exists )?\w+ on "?(\w+)"?/;
const trigger = /^create (?:constraint )?trigger \w+ .*? on "?(\w+)"?/;
const distributed = /^select distribute\('(\w+)', 'tenant'\)/;
const written = /(for )?\b(?:update|insert into|delete from) (?:only )?"?(\w+)"?/g;
const referenced = / references "?(\w+)"?/g;

function lockOfChange(change: string): Pick<TableLock, 'lock' | 'work'> {
  if (
    / generated always as | type |alter column \w+ set data type/.test(` ${change} `) &&
    !/^rename /.test(change)
  )
    return { lock: 'ACCESS EXCLUSIVE', work: 'rewritten' };
  const adds_only_keys = change
    .split(/, (?=add |drop |alter )/)
    .every((part) => /^add .*?foreign key /.test(part));
  if (adds_only_keys) return { lock: 'SHARE ROW EXCLUSIVE', work: 'read' };
  if (change.startsWith('validate ')) return { lock: 'SHARE UPDATE EXCLUSIVE', work: 'read' };
  const reads = /\bcheck \(|set not null|foreign key |unique \(|primary key /.test(change);
  return { lock: 'ACCESS EXCLUSIVE', work: reads ? 'read' : 'none' };
}

function locksOfStatement(
  statement: string,
  tableOfIndex: (index: string) => string | undefined,
): TableLock[] {
  if (/^create (?:or replace )?function /.test(statement)) return [];
  const keys = [...statement.matchAll(referenced)].map(
    ([, table = '']): TableLock => ({ table, lock: 'SHARE ROW EXCLUSIVE', work: 'none' }),
  );
  const on = (table: string | undefined, lock: LockMode, work: Work = 'none'): TableLock[] =>
    table === undefined ? [] : [{ table, lock, work }];
  if (createdTable.test(statement)) return keys;
  const index = createdIndex.exec(statement);
  if (index) return on(index[2], index[1] ? 'SHARE UPDATE EXCLUSIVE' : 'SHARE', 'read');
  const dropped = droppedIndex.exec(statement);
  if (dropped)
    return on(tableOfIndex(dropped[2] ?? ''), dropped[1] ? 'SHARE UPDATE EXCLUSIVE' : 'ACCESS EXCLUSIVE');
  const change = altered.exec(statement);
  if (change) return [{ table: change[1] ?? '', ...lockOfChange(change[2] ?? '') }, ...keys];
  const whole = droppedTable.exec(statement) ?? policy.exec(statement) ?? distributed.exec(statement);
  if (whole) return on(whole[1], 'ACCESS EXCLUSIVE');
  const watched = trigger.exec(statement);
  if (watched) return on(watched[1], 'SHARE ROW EXCLUSIVE');
  return [...statement.matchAll(written)].flatMap(([, reading, table]) =>
    reading ? [] : on(table, 'ROW EXCLUSIVE', 'rows'),
  );
}

/** In the order of the statements. Tables that the text makes are left out: nobody else knows them yet. */
function locksInOrder(text: string, tableOfIndex: (index: string) => string | undefined): TableLock[] {
  const statements = statementsOf(text);
  const made = new Set(statements.flatMap((one) => createdTable.exec(one)?.[1] ?? []));
  return statements
    .flatMap((one) => locksOfStatement(one, tableOfIndex))
    .filter(({ table }) => !made.has(table));
}

const strengthOf = (lock: LockMode) => lockModes.indexOf(lock);

/**
 * One for each table, the strongest. Tables that the text makes are left out.
 * @param tableOfIndex undefined for an index that is not there
 */
export function locksOf(text: string, tableOfIndex: (index: string) => string | undefined): TableLock[] {
  const strongest = new Map<string, TableLock>();
  for (const { table, lock, work } of locksInOrder(text, tableOfIndex)) {
    const before = strongest.get(table) ?? { table, lock, work };
    strongest.set(table, {
      table,
      lock: strengthOf(lock) > strengthOf(before.lock) ? lock : before.lock,
      work: works[Math.max(works.indexOf(work), works.indexOf(before.work))] ?? work,
    });
  }
  return [...strongest.values()].toSorted((a, b) => (a.table < b.table ? -1 : 1));
}

/**
 * Tables whose lock becomes stronger within the text. A session that reads such a table and then wants to write it
 * waits for the weaker lock, and the stronger one waits for that session: PostgreSQL ends one of both (its manual,
 * 13.3.4).
 * @param tableOfIndex undefined for an index that is not there
 */
export function raisedLocks(text: string, tableOfIndex: (index: string) => string | undefined): string[] {
  const held = new Map<string, LockMode>();
  const raised = new Set<string>();
  for (const { table, lock } of locksInOrder(text, tableOfIndex)) {
    const before = held.get(table);
    if (before !== undefined && strengthOf(lock) <= strengthOf(before)) continue;
    if (before !== undefined) raised.add(table);
    held.set(table, lock);
  }
  return [...raised].toSorted();
}
