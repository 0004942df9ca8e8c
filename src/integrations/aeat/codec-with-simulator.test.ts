/** The simulator shares no code with what writes records. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startSimulator } from 'aeat-simulator';
import { issuer, recordCases } from '../../../test/support/verifactu-cases.ts';
import type { ChainedRecord, ChainLink, Message, SendingIdentity } from '../../modules/verifactu/index.ts';
import { type Authority, makeAuthority } from './authority.ts';
import { writeRecord } from './record-text.ts';

const simulator = await startSimulator({ now: () => new Date('2026-11-21T11:00:00Z'), wait_seconds: 77 });
const { key, cert } = await simulator.clientIdentity(issuer.tax_id, issuer.name, 'representative');
const identity: SendingIdentity = { private_key: key, certificates: [cert], kind: 'person' };
const authority: Authority = makeAuthority({
  aeat: 'none',
  certificate: null,
  simulator: { url: simulator.url, ca: simulator.ca, identity },
});
after(async () => {
  await authority.close();
  await simulator.stop();
});

const message = (company_id: string, records: readonly string[]): Message => ({
  environment: 'test',
  company_id,
  taxpayer: issuer,
  is_incident: false,
  ends_on: null,
  records,
});

function chain(records: readonly ChainedRecord[]): string[] {
  let previous: ChainLink | null = null;
  return records.map((record, at) => {
    const number = `${at}/${record.content.number}`.slice(0, 60);
    const stamped_at = '2026-11-21T12:00:00+01:00';
    const linked: ChainedRecord = { ...record, content: { ...record.content, number }, previous, stamped_at };
    const { xml, huella } = writeRecord(linked);
    previous = { tax_id: issuer.tax_id, number, issued_on: record.content.issued_on, huella };
    return xml;
  });
}

/** Other records need an earlier one at the authority, or have an invented issuer. */
const isPlain = ({ content, system }: ChainedRecord) =>
  content.kind === 'alta' && !content.is_subsanacion && system.producer.foreign_id === null;

test('given every case in one chain, when it is sent, then each record is accepted without an error', async () => {
  const cases = [...recordCases].filter(([, record]) => isPlain(record));
  const result = await authority.send(message('a', chain(cases.map(([, record]) => record))), identity);
  assert.ok(result.kind === 'answer', JSON.stringify(result).slice(0, 500));
  assert.equal(result.wait_seconds, 77);
  assert.match(result.csv ?? '', /^\S{16}$/);
  const faults = result.lines.flatMap((line, at) =>
    line.state === 'accepted' ? [] : [`${cases[at]?.[0]}: ${line.state} ${line.code} ${line.message}`],
  );
  assert.deepEqual(faults, []);
  assert.equal(result.lines.length, cases.length);
});

test('given a message sent twice, when the second is answered, then every record is a known duplicate', async () => {
  const cases = [...recordCases.values()].filter(isPlain).slice(0, 3);
  const records = chain(cases);
  const first = await authority.send(message('b', records), identity);
  const second = await authority.send(message('b', records), identity);
  assert.ok(first.kind === 'answer' && second.kind === 'answer');
  assert.deepEqual(
    second.lines.map(({ state, code, duplicate }) => [state, code, duplicate?.state]),
    cases.map(() => ['rejected', '3000', 'accepted']),
  );
  assert.equal(second.csv, null);
});
