/** Judges a batch in order, each record against what the earlier ones left. Stores the accepted ones. */
import { randomBytes } from 'node:crypto';
import { judgeAcceptance } from './acceptance-rules.ts';
import type { Line } from './answers.ts';
import { readDay } from './dates.ts';
import { judgeRecord } from './judge-record.ts';
import { outcomeOf } from './magic-values.ts';
import { judgePrevious } from './previous-rules.ts';
import { type BillingRecord, keyOf, systemOf } from './records.ts';
import type { Facts } from './rule.ts';
import type { SimulatorRow, SimulatorStore } from './store.ts';
import { textOf } from './xml-tree.ts';

export type Batch = {
  company_id: string;
  records: readonly BillingRecord[];
  facts: Facts;
  presenter_nif: string;
  /** Refuses the first acceptable record. */
  forced_code: number | null;
};
/** `csv` is null when no record was accepted. */
export type Outcome = { lines: Line[]; csv: string | null };

export async function takeBatch(store: SimulatorStore, batch: Batch): Promise<Outcome> {
  const { company_id, records, facts } = batch;
  const keys = [...new Set(records.map(({ invoice }) => keyOf(invoice)))];
  const held = new Map((await store.find(company_id, keys)).map((row) => [row.key, row]));
  const changed = new Map<string, SimulatorRow>();
  const firsts = records.filter(({ previous }) => previous === undefined).map(systemOf);
  const systems = new Set(
    firsts.length === 0 ? [] : await store.findSystems(company_id, [...new Set(firsts)]),
  );
  const [csv, request_id] = [makeCode('A-', 7), makeCode('', 10)];
  const keep = (row: SimulatorRow) => {
    held.set(row.key, row);
    changed.set(row.key, row);
  };
  let forced = batch.forced_code;
  let has_entered = false;
  const lines = records.map((record): Line => {
    const system = systemOf(record);
    const found = judge(record, held, systems.has(system), batch);
    const earlier_systems = held.get(keyOf(record.invoice))?.systems ?? [];
    const row = (code: number | null, state: SimulatorRow['state']) => {
      systems.add(system);
      return makeRow(record, {
        ...{ csv, request_id, code, state, presenter_nif: batch.presenter_nif, now: facts.now },
        systems: [...new Set([...earlier_systems, system])],
      });
    };
    if (found.kind === 'duplicate') {
      const earlier = { ...row(found.code, found.state), csv: null, request_id: makeCode('', 10) };
      keep(earlier);
      return { record, state: 'Incorrecto', code: 3000, duplicate_of: earlier };
    }
    if (found.kind === 'rejected') {
      const duplicate_of = found.code === 3000 ? (held.get(keyOf(record.invoice)) ?? null) : null;
      return { record, state: 'Incorrecto', code: found.code, duplicate_of };
    }
    if (forced !== null) {
      const code = forced;
      forced = null;
      return { record, state: 'Incorrecto', code, duplicate_of: null };
    }
    has_entered = true;
    const is_annulment = record.operation === 'Anulacion';
    keep(row(found.code, is_annulment ? 'Anulada' : found.code === null ? 'Correcta' : 'AceptadaConErrores'));
    return {
      record,
      state: found.code === null ? 'Correcto' : 'AceptadoConErrores',
      code: found.code,
      duplicate_of: null,
    };
  });
  if (changed.size > 0) await store.save(company_id, [...changed.values()]);
  return { lines, csv: has_entered ? csv : null };
}

type Judgement =
  | { kind: 'rejected'; code: number }
  | { kind: 'accepted'; code: number | null }
  | { kind: 'duplicate'; state: 'Correcta' | 'AceptadaConErrores'; code: number | null };

function judge(
  record: BillingRecord,
  held: Map<string, SimulatorRow>,
  is_system_known: boolean,
  batch: Batch,
): Judgement {
  const wrong = judgeRecord(record, batch.facts);
  if (wrong) return { kind: 'rejected', code: wrong };
  const outcome = outcomeOf(record);
  if (outcome.kind === 'rejected') return outcome;
  const presenter = { nif: batch.presenter_nif, taxpayer_nif: batch.facts.taxpayer_nif };
  const against = judgePrevious(record, held.get(keyOf(record.invoice)), presenter);
  if (against) return { kind: 'rejected', code: against };
  const code = judgeAcceptance(record, batch.facts, is_system_known);
  if (outcome.kind === 'duplicate') {
    return { ...outcome, code: outcome.state === 'Correcta' ? null : (code ?? 2001) };
  }
  return { kind: 'accepted', code: code ?? (outcome.kind === 'accepted_with_errors' ? outcome.code : null) };
}

function makeRow(
  record: BillingRecord,
  at: {
    csv: string;
    request_id: string;
    code: number | null;
    state: SimulatorRow['state'];
    presenter_nif: string;
    systems: string[];
    now: Date;
  },
): SimulatorRow {
  const { invoice, xml } = record;
  const operated_on = textOf(xml, 'FechaOperacion') ?? invoice.issued_on;
  const flags = ['Subsanacion', 'RechazoPrevio', 'SinRegistroPrevio'].flatMap((name) => {
    const value = textOf(xml, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    key: keyOf(invoice),
    issuer_nif: invoice.issuer,
    number: invoice.number,
    issued_on: invoice.issued_on,
    period: (readDay(operated_on) ?? '').slice(0, 7),
    state: at.state,
    error_code: at.code,
    request_id: at.request_id,
    csv: at.csv,
    origin: 'record',
    presenter_nif: at.presenter_nif,
    systems: at.systems,
    presented_at: at.now.toISOString(),
    record: {
      operation: record.operation,
      external_ref: record.external_ref ?? null,
      flags: Object.fromEntries(flags),
      type: textOf(xml, 'TipoFactura') ?? null,
      description: textOf(xml, 'DescripcionOperacion') ?? null,
      tax_total: textOf(xml, 'CuotaTotal') ?? null,
      total: textOf(xml, 'ImporteTotal') ?? null,
      recipients:
        record.operation === 'Alta'
          ? (record.recipients ?? []).flatMap(({ nif, id }) => nif ?? id ?? [])
          : [],
      stamp: record.stamp,
      huella: record.huella,
    },
  };
}

function makeCode(prefix: string, bytes: number): string {
  return prefix + randomBytes(bytes).toString('hex').toUpperCase();
}
