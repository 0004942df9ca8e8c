/** Compares a company's records, here and at the authority, with the end that the table states. */
import assert from 'node:assert/strict';
import type { App, TestCompany } from '../harness.ts';
import type { TestAuthority } from './sandbox-authority.ts';
import { cutSteps, type End, expectedEnds, type Row, type Step } from './sender-table.ts';

/** `id` is the sandbox company's. */
export type Place = { row: Row; company: TestCompany; id: string };

export async function noteStatuses(app: App): Promise<void> {
  await app.sql`create table seen_statuses (n serial, company_id uuid, record_id uuid, status text, is_blocked boolean)`;
  await app.sql.unsafe(`
    create function note_status() returns trigger language plpgsql security definer as $$ begin
      if new.status <> old.status or new.is_blocked <> old.is_blocked then
        insert into public.seen_statuses (company_id, record_id, status, is_blocked)
        values (new.company_id, new.record_id, new.status, new.is_blocked);
      end if;
      return null;
    end $$`);
  await app.sql`create trigger note_status after update on verifactu_sendings for each row execute function note_status()`;
}

type Stored = {
  id: string;
  invoice_id: string;
  status: string;
  csv: string | null;
  is_blocked: boolean;
  answered_at: Date | null;
  huella: string;
  xml: string;
};

function endOf({ status, csv, is_blocked }: Stored): End | string {
  if (status === 'accepted') return csv === null ? 'csv_lost' : 'accepted';
  if (status === 'accepted_with_errors') return csv === null ? 'with_errors_csv_lost' : 'with_errors';
  return is_blocked && status === 'pending' ? 'kept_back' : status;
}

export async function assertEnds(
  app: App,
  authority: TestAuthority,
  place: Place,
  step: Step,
): Promise<void> {
  const { row, id } = place;
  const about = `${row.title}, killed at ${step}`;
  const stored = await app.sql<Stored[]>`
    select r.id, r.invoice_id, s.status, s.csv, s.is_blocked, s.answered_at, r.huella, r.xml
      from verifactu_records r join verifactu_sendings s on s.company_id = r.company_id and s.record_id = r.id
     where r.company_id = ${id} order by r.position`;
  assert.deepEqual(stored.map(endOf), expectedEnds(row, step), about);
  const answered = stored.flatMap(({ answered_at }) => answered_at?.getTime() ?? []);
  assert.deepEqual(
    answered,
    answered.toSorted((a, b) => a - b),
    `${about}: in the order of the chain`,
  );

  const seen = await app.sql<{ record_id: string; status: string; is_blocked: boolean }[]>`
    select record_id, status, is_blocked from seen_statuses where company_id = ${id} order by n`;
  for (const record of stored) {
    const ended = seen.filter(
      (one) =>
        one.record_id === record.id && (one.is_blocked || !['pending', 'sending'].includes(one.status)),
    );
    assert.equal(ended.length, 1, `${about}: its end is reached once`);
  }
  const events = await app.sql<{ type: string; aggregate_id: string }[]>`
    select type, aggregate_id from events where company_id = ${id} and type like 'invoice.verifactu%'`;
  const told = events.map((event) => `${event.aggregate_id} ${event.type}`).sort();
  const due = stored.map((record) => {
    const is_failed = ['rejected', 'kept_back'].includes(endOf(record));
    return `${record.invoice_id} invoice.verifactu_${is_failed ? 'failed' : 'submitted'}`;
  });
  assert.deepEqual(told, due.sort(), `${about}: one event for each record`);
  await assertMessages(authority, place, stored, step, about);
}

async function assertMessages(
  { simulator, store }: TestAuthority,
  { id, row }: Place,
  stored: readonly Stored[],
  step: Step,
  about: string,
): Promise<void> {
  const messages = simulator.log.filter((message) => message.company_id === id);
  const position = new Map(stored.map((record, n) => [record.id, n]));
  const bytes = new Map<string, Set<string>>();
  for (const { body, body_sha256 } of messages) {
    const refs = [...body.matchAll(/<sf:RefExterna>([^<]+)</g)].map(([, ref]) => ref!);
    const at = refs.map((ref) => position.get(ref)!);
    assert.deepEqual(
      at,
      at.toSorted((a, b) => a - b),
      `${about}: a message keeps the order of the chain`,
    );
    for (const n of at) assert.ok(body.includes(stored[n]!.xml), `${about}: the stored text is what travels`);
    bytes.set(refs.join(), (bytes.get(refs.join()) ?? new Set()).add(body_sha256));
  }
  for (const [, of] of bytes) assert.equal(of.size, 1, `${about}: the same records travel as the same bytes`);
  if (cutSteps.includes(step)) {
    assert.ok(messages.length >= 2, `${about}: the message went again`);
    assert.equal(messages[1]!.body_sha256, messages[0]!.body_sha256, `${about}: the same bytes again`);
  }
  const entered = messages.flatMap(({ lines }) =>
    lines.filter((line) => line.state !== 'Incorrecto').map((line) => `${line.operation} ${line.key}`),
  );
  assert.equal(new Set(entered).size, entered.length, `${about}: nothing is registered twice`);
  const is_there = (end: string) => !['rejected', 'kept_back'].includes(end);
  const held = await store.list(id, { period: monthOf(stored[0]!.xml), after: null, limit: 100 });
  // The authority shows the last record of each invoice.
  const last = new Map(
    stored.filter((one) => is_there(endOf(one))).map((one) => [one.invoice_id, one.huella]),
  );
  assert.deepEqual(held.map((one) => one.record.huella).sort(), [...last.values()].sort(), about);
  const annulments = row.records.filter((record) => record === 'annulment').length;
  assert.equal(held.filter((one) => one.state === 'Anulada').length, annulments, about);
}

function monthOf(xml: string): string {
  const [, month, year] = /<sf:FechaExpedicionFactura>\d\d-(\d\d)-(\d{4})</.exec(xml) ?? [];
  return `${year}-${month}`;
}
