/**
 * Idempotency keys. The stored answer commits with the effect. Nobody who waits for a key holds a connection: callers
 * of one process wait on a promise; a claim that another process blocks is tried again.
 */
import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { commonErrors as c } from '../kernel/common.errors.ts';
import { hasManyRows, jsonInSteps, jsonParts } from '../kernel/json.ts';
import type { IdempotencyClaim, Tx } from '../kernel/operation.ts';
import { fail, Problem, type ProblemDetails } from '../kernel/problem.ts';
import { sqlStates } from '../kernel/sql-states.ts';
import { sqlState } from './db.ts';
import { inTurns, makeGivingWay } from './give-way.ts';
import { readAsEach } from './read-as-each.ts';
import type { SecretBox } from './secrets.ts';

const dayMs = 24 * 3_600_000;
const keptMs = dayMs;
/** A job may run again after a long standstill. */
const keptForJobsMs = 90 * dayMs;

function expiryOf({ of_job }: { of_job?: boolean }, now: Date): Date {
  return new Date(now.getTime() + (of_job ? keptForJobsMs : keptMs));
}
const waitMs = 20_000;

export type StoredAnswer = (
  | {
      kind: 'answer';
      status: number;
      body: unknown;
      /** Only for processes of an earlier version, which fail without it. */
      headers: Readonly<Record<string, never>>;
    }
  | { kind: 'problem'; code: string; details: ProblemDetails }
) & {
  /** The version under which it was made. Set where it is read; absent in older rows. */
  version?: string;
};

export function hashRequest(
  operation: string,
  input: { params: unknown; query: unknown; body: unknown },
): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([operation, input.params, input.query, input.body ?? null]))
    .digest();
}

type KeyRow = {
  operation: string;
  body_hash: Buffer;
  api_version: string | null;
  answer: string | null;
  sealed_answer: Buffer | null;
};

/** The driver writes a value, and reads one, in one turn of the loop: some 20 ms for a million characters. */
const sentLength = 262_144;
/** Of all answers that one statement stores. */
const keptLength = 2_097_152;
const readLength = 1_048_576;

/** A long answer is not among the columns: it is read in parts. */
const keyColumns = (tx: Tx) => tx`
  operation, body_hash, api_version, sealed_answer, case when octet_length(answer) <= ${readLength} then answer end as answer`;

/**
 * For statements that may wait for another process. They hold a connection, so they fail after 200 ms, with SQLSTATE
 * 55P03.
 */
export function withShortLockWait<const T extends readonly Promise<unknown>[]>(
  tx: Tx,
  send: () => T,
): [Promise<unknown>, ...T, Promise<unknown>] {
  return [
    tx.unsafe(`set local lock_timeout = '200ms'`).execute(),
    ...send(),
    tx.unsafe(`set local lock_timeout = '10s'`).execute(),
  ];
}

/**
 * Must be the transaction's first statement.
 * @returns the stored answer of an earlier request; undefined when the key is now ours
 * @throws 409 idempotency_key_reused for another request; SQLSTATE 55P03 while another process holds the key
 */
export async function claimKey(
  tx: Tx,
  company_id: string,
  claim: IdempotencyClaim,
  secrets: SecretBox,
  now: Date,
): Promise<StoredAnswer | undefined> {
  const expires_at = expiryOf(claim, now);
  const [, claimed] = await Promise.all(
    withShortLockWait(tx, () => [
      tx<{ key: string }[]>`
      insert into idempotency_keys as k (company_id, key, operation, body_hash, api_version, created_at, expires_at)
      values (${company_id}, ${claim.key}, ${claim.operation}, ${claim.body_hash}, ${claim.version}, ${now}, ${expires_at})
      on conflict (company_id, key) do update
         set operation = excluded.operation, body_hash = excluded.body_hash, answer = null, sealed_answer = null,
             api_version = excluded.api_version, created_at = excluded.created_at, expires_at = excluded.expires_at
       where k.expires_at <= ${now}
      returning k.key`.execute(),
    ]),
  );
  if (claimed.length > 0) return undefined;
  const [row] = await tx<KeyRow[]>`
    select ${keyColumns(tx)} from idempotency_keys where company_id = ${company_id} and key = ${claim.key}`;
  if (!row) throw new Error('A claimed idempotency key vanished.');
  return readStored(company_id, row, claim, secrets, () => readLongAnswer(tx, company_id, claim.key));
}

/** @returns by key: `claimed`, the stored answer of an earlier request, or the refusal of a reused key */
export async function claimKeys(
  tx: Tx,
  company_id: string,
  claims: readonly IdempotencyClaim[],
  secrets: SecretBox,
  now: Date,
): Promise<Map<string, StoredAnswer | Problem | 'claimed'>> {
  const out = new Map<string, StoredAnswer | Problem | 'claimed'>();
  if (claims.length === 0) return out;
  const rows = claims.map((claim) => ({
    key: claim.key,
    operation: claim.operation,
    body_hash: `\\x${claim.body_hash.toString('hex')}`,
    version: claim.version,
    expires_at: expiryOf(claim, now),
  }));
  const [, claimed] = await Promise.all(
    withShortLockWait(tx, () => [
      tx<{ key: string }[]>`
      insert into idempotency_keys as k (company_id, key, operation, body_hash, api_version, created_at, expires_at)
      select h.company_id, x.key, x.operation, x.body_hash::bytea, x.version, ${now}::timestamptz, x.expires_at
        from companies h, json_to_recordset(${JSON.stringify(rows)}::text::json) as x(key text, operation text, body_hash text, version text, expires_at timestamptz)
       where h.company_id = ${company_id}
      on conflict (company_id, key) do update
         set operation = excluded.operation, body_hash = excluded.body_hash, answer = null, sealed_answer = null,
             api_version = excluded.api_version, created_at = excluded.created_at, expires_at = excluded.expires_at
       where k.expires_at <= ${now}
      returning k.key`.execute(),
    ]),
  );
  for (const row of claimed) out.set(row.key, 'claimed');
  for (const claim of claims) {
    if (out.has(claim.key)) continue;
    try {
      const stored = await findStoredAnswer(tx, company_id, claim, secrets, now);
      if (!stored) throw new Error('A claimed idempotency key vanished.');
      out.set(claim.key, stored);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      out.set(claim.key, error);
    }
  }
  return out;
}

/** As a statement takes it. */
export type ReadyAnswer = { text: string } | { first_part: number; parts: number };

/**
 * Writes answers as texts, and sends long ones ahead, in turns (ADR 83). What is left to send is short.
 * @returns in their order, for `storeAnswer` or `storeAnswers` of the same transaction
 */
export async function readyAnswers(tx: Tx, answers: readonly StoredAnswer[]): Promise<ReadyAnswer[]> {
  const ready: ReadyAnswer[] = [];
  const giveWay = makeGivingWay();
  let parts_sent = 0;
  let length_kept = 0;
  for (const answer of answers) {
    const first_part = parts_sent;
    let held: string[] = [];
    let length = 0;
    for (const part of isShort(answer) ? [JSON.stringify(answer)] : jsonParts(answer)) {
      held.push(part);
      length += part.length;
      if (length > sentLength || length_kept + length > keptLength) {
        await sendAhead(tx, parts_sent, held.join(''));
        parts_sent += 1;
        held = [];
        length = 0;
      }
      await giveWay();
    }
    if (parts_sent === first_part) {
      length_kept += length;
      ready.push({ text: held.join('') });
      continue;
    }
    if (length > 0) {
      await sendAhead(tx, parts_sent, held.join(''));
      parts_sent += 1;
    }
    ready.push({ first_part, parts: parts_sent - first_part });
  }
  return ready;
}

const isShort = (answer: StoredAnswer): boolean => answer.kind !== 'answer' || !hasManyRows(answer.body);

/** It is forgotten with the transaction. Its length is answered, as the value would come back. */
function sendAhead(tx: Tx, at: number, part: string): Promise<unknown> {
  return tx`select length(set_config(${`app.answer_${at}`}, ${part}, true))`;
}

/** What was sent ahead, as one text. */
const sentText = (tx: Tx, { first_part, parts }: { first_part: number; parts: number }) => tx`
  (select string_agg(current_setting('app.answer_' || n), '' order by n)
     from generate_series(${first_part}::int, ${first_part + parts - 1}::int) as n)`;

/** @returns the statements, sent */
export function storeAnswers(
  tx: Tx,
  company_id: string,
  answers: readonly { key: string; answer: ReadyAnswer }[],
): Promise<unknown>[] {
  const rows = answers.flatMap(({ key, answer }) => ('text' in answer ? [{ key, answer: answer.text }] : []));
  const sent = answers.flatMap(({ key, answer }) => ('text' in answer ? [] : [{ key, answer }]));
  const statements = sent.map(({ key, answer }) =>
    tx`
    update idempotency_keys set answer = ${sentText(tx, answer)}
     where company_id = ${company_id} and key = ${key}`.execute(),
  );
  if (rows.length === 0) return statements;
  const short = tx`
    update idempotency_keys k set answer = x.answer
      from json_to_recordset(${JSON.stringify(rows)}::text::json) as x(key text, answer text)
     where k.company_id = ${company_id} and k.key = x.key`.execute();
  return [...statements, short];
}

/** For requests without an effect in this transaction. */
export async function releaseKeys(tx: Tx, company_id: string, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await tx`delete from idempotency_keys where company_id = ${company_id} and key = any(${keys as string[]})`.execute();
}

/** Does not claim the key. */
export async function findStoredAnswer(
  tx: Tx,
  company_id: string,
  claim: IdempotencyClaim,
  secrets: SecretBox,
  now: Date,
): Promise<StoredAnswer | undefined> {
  const [row] = await tx<KeyRow[]>`
    select ${keyColumns(tx)} from idempotency_keys
     where company_id = ${company_id} and key = ${claim.key} and expires_at > ${now}`;
  return row && readStored(company_id, row, claim, secrets, () => readLongAnswer(tx, company_id, claim.key));
}

/**
 * Of the one of these companies that has the key. Each is read as itself, all in one message.
 * @throws 409 idempotency_key_reused
 */
export async function findAnswerAmong(
  tx: Tx,
  company_ids: readonly string[],
  claim: IdempotencyClaim,
  secrets: SecretBox,
  now: Date,
): Promise<StoredAnswer | undefined> {
  const found = await readAsEach(tx, company_ids, async (company_id) => {
    const [row] = await tx<KeyRow[]>`
      select ${keyColumns(tx)} from idempotency_keys
       where company_id = ${company_id} and key = ${claim.key} and expires_at > ${now}`.execute();
    return row && { company_id, row };
  });
  const first = found.find((one) => one !== undefined);
  if (!first) return undefined;
  const { company_id, row } = first;
  return readStored(company_id, row, claim, secrets, () => readLongAnswer(tx, company_id, claim.key));
}

/** Cut from bytes that are decompressed once. A sign may lie in two parts. */
async function readLongAnswer(tx: Tx, company_id: string, key: string): Promise<string | null> {
  const rows = await tx<{ at: number; part: Buffer }[]>`
    with stored as materialized (
      select convert_to(answer, 'UTF8') as bytes from idempotency_keys
       where company_id = ${company_id} and key = ${key})
    select at, substring(bytes from at for ${readLength}) as part
      from stored, generate_series(1, octet_length(bytes), ${readLength}::int) as at`;
  if (rows.length === 0) return null;
  const decoder = new TextDecoder();
  const parts: string[] = [];
  const giveWay = makeGivingWay();
  for (const { part } of rows.toSorted((a, b) => a.at - b.at)) {
    parts.push(decoder.decode(part, { stream: true }));
    await giveWay();
  }
  return parts.join('');
}

const placeOf = (company_id: string, key: string) => ({ table: 'idempotency_keys', company_id, id: key });

/**
 * In turns, as an answer may be long.
 * @param readLong for a row without its answer
 * @throws 409 idempotency_key_reused
 */
export async function readStored(
  company_id: string,
  row: KeyRow,
  claim: IdempotencyClaim,
  secrets: SecretBox,
  readLong: () => Promise<string | null>,
): Promise<StoredAnswer> {
  // A job that runs again may have read other values. Its key alone says which call it is (ADR 26).
  const has_hash = [claim.body_hash, claim.other_hash].some((hash) => hash && row.body_hash.equals(hash));
  if (row.operation !== claim.operation || !(claim.of_job || has_hash)) {
    throw fail(c.idempotency_key_reused, { member: 'idempotency_key' });
  }
  const text = row.sealed_answer
    ? secrets.open(row.sealed_answer, placeOf(company_id, claim.key))
    : (row.answer ?? (await readLong()));
  if (text === null) throw new Error('An idempotency key was committed without its answer.');
  // Numbers may have more digits than a double.
  const stored = (await inTurns(jsonInSteps(text))) as StoredAnswer;
  return row.api_version === null ? stored : { ...stored, version: row.api_version };
}

/** Sends one statement. */
export function storeAnswer(
  tx: Tx,
  company_id: string,
  key: string,
  answer: ReadyAnswer,
  secrets: SecretBox,
  holds_secret: boolean,
): Promise<unknown> {
  if (holds_secret && 'text' in answer) {
    const sealed = secrets.seal(answer.text, placeOf(company_id, key));
    return tx`
      update idempotency_keys set answer = null, sealed_answer = ${sealed}
       where company_id = ${company_id} and key = ${key}`;
  }
  if (holds_secret) throw new Error('A long answer cannot be sealed.');
  return tx`
    update idempotency_keys set answer = ${'text' in answer ? answer.text : sentText(tx, answer)}, sealed_answer = null
     where company_id = ${company_id} and key = ${key}`;
}

/** For keys seen here, a stored answer is looked for first. Only a hint. */
export class KeysSeen {
  readonly #names = new Set<string>();
  readonly #max: number;

  constructor(max = 20_000) {
    this.#max = max;
  }

  has(company_id: string, key: string): boolean {
    return this.#names.has(`${company_id} ${key}`);
  }

  add(company_id: string, key: string): void {
    const name = `${company_id} ${key}`;
    this.#names.delete(name);
    this.#names.add(name);
    if (this.#names.size <= this.#max) return;
    const [oldest] = this.#names;
    this.#names.delete(oldest!);
  }
}

/** Keys or external ids that this process works on. Others wait without a connection. */
export class KeysInFlight {
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #wait_ms: number;
  readonly #named: Pick<ProblemDetails, 'param' | 'member'>;

  /** @param named what `resource_locked` names */
  constructor(
    wait_ms = waitMs,
    named: Pick<ProblemDetails, 'param' | 'member'> = { member: 'idempotency_key' },
  ) {
    this.#wait_ms = wait_ms;
    this.#named = named;
  }

  /**
   * Tries again while another process holds the key.
   * @throws 409 resource_locked when the wait is over
   */
  async run<T>(company_id: string, key: string, work: () => Promise<T>): Promise<T> {
    const name = `${company_id} ${key}`;
    const until = performance.now() + this.#wait_ms;
    for (;;) {
      const running = this.#running.get(name);
      if (running) {
        await waitFor(running, until - performance.now());
        if (performance.now() >= until) throw fail(c.resource_locked, this.#named);
        continue;
      }
      const mine = work();
      this.#running.set(name, mine);
      try {
        return await mine;
      } catch (error) {
        if (sqlState(error) !== sqlStates.lock_not_available || performance.now() >= until) {
          throw sqlState(error) === sqlStates.lock_not_available
            ? fail(c.resource_locked, this.#named)
            : error;
        }
      } finally {
        this.#running.delete(name);
      }
      await wait(50 + Math.random() * 100);
    }
  }
}

async function waitFor(promise: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, ms));
  });
  await Promise.race([
    promise.then(
      () => undefined,
      () => undefined,
    ),
    late,
  ]);
  clearTimeout(timer);
}

/**
 * Deletes the oldest expired keys. Their list is an array, read once: PostgreSQL may read a joined sub-select anew
 * for each row.
 * @returns how many
 */
export async function deleteExpiredKeys(
  tx: Tx,
  company_id: string,
  real_now: Date,
  rows_max: number,
): Promise<number> {
  const { count } = await tx`
    delete from idempotency_keys as k
     where k.company_id = ${company_id} and k.expires_at <= ${real_now}
       and k.key = any (array(select e.key from idempotency_keys e
                               where e.company_id = ${company_id} and e.expires_at <= ${real_now}
                               order by e.expires_at limit ${rows_max}))`;
  return count;
}

/**
 * Empties members of the stored answers about one resource. They stay stored, so that a repeated call does nothing twice.
 * Only answers of operations that name its kind are read: a company may have a hundred thousand.
 * @param members of `data`
 */
export async function blankAnswers(
  tx: Tx,
  company_id: string,
  { object, id }: { object: string; id: string },
  members: readonly string[],
): Promise<void> {
  const blank = JSON.stringify(Object.fromEntries(members.map((name) => [name, null])));
  await tx`
    update idempotency_keys
       set answer = jsonb_set(answer::jsonb, '{body,data}', answer::jsonb #> '{body,data}' || ${blank}::text::jsonb)::text
     where company_id = ${company_id} and operation like ${`%${object}%`} and answer like ${`%"id":"${id}"%`}
       and answer::jsonb #>> '{body,data,id}' = ${id}`;
}

/** Deletes all answers but those of one operation: what they told of is gone. */
export async function forgetAnswers(tx: Tx, company_id: string, but: string): Promise<void> {
  await tx`delete from idempotency_keys where company_id = ${company_id} and operation <> ${but}`;
}
