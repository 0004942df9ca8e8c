/**
 * Each fault of the authority meets a kill at each step of sending. Every record reaches the end that
 * docs/reliability.md states, once and in chain order. What was sent goes again byte by byte.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type App, onOwnDatabase } from '../harness.ts';
import { projectRoot } from '../support/installation.ts';
import { magicLine } from '../support/magic-totals.ts';
import { Gate, portsTo, startTestAuthority, type TestAuthority } from '../support/sandbox-authority.ts';
import { assertEnds, noteStatuses, type Place } from '../support/sender-ends.ts';
import {
  markdownTable,
  type ProcessStep,
  type Row,
  rows,
  type Step,
  steps,
} from '../support/sender-table.ts';
import { startChild } from '../support/service-child.ts';
import { until } from '../support/worker-place.ts';

const startApp = onOwnDatabase();

const impatience_ms = 700;
const hourMs = 3_600_000;
const roundsMax = 6;

async function prepare(app: App, row: Row): Promise<Place> {
  const company = await app.given.company();
  const key = company.test_key;
  const on = await app.put('/v1/verifactu/settings', { key, body: { enabled: true } });
  assert.equal(on.status, 200, on.text);
  const ticketOf = (wanted: 'ticket' | { total: number }) => {
    const line = wanted === 'ticket' ? { unit_price: 100, tax_rate: 21 } : magicLine(wanted.total);
    return { type: 'F2', lines: [{ description: 'Café', ...line }], options: { issue: true } };
  };
  // Those up to an annulment are issued in one call.
  let tickets: object[] = [];
  let first: string | undefined;
  const issue = async () => {
    const made = await app.post('/v1/invoices/bulk-create', { key, body: { invoices: tickets } });
    assert.equal(made.body.data?.successful, tickets.length, made.text);
    first ??= made.body.data.invoices[0].id;
    tickets = [];
  };
  for (const wanted of row.records) {
    if (wanted !== 'annulment') {
      tickets.push(ticketOf(wanted));
      continue;
    }
    await issue();
    const annulled = await app.post(`/v1/invoices/${first}/annul`, { key, body: {} });
    assert.equal(annulled.status, 200, annulled.text);
  }
  await issue();
  return { row, company, id: company.sandbox_company_id };
}

type Group = { step: Step; places: readonly Place[] };

/** One step after another: companies of one step are as many as a service works for at a time. */
async function runAllDue(app: App, groups: readonly Group[]): Promise<void> {
  for (const { places } of groups) await Promise.all(places.map(({ id }) => app.service.worker.runDue(id)));
}

const idsOf = (groups: readonly Group[]) => groups.flatMap(({ places }) => places.map(({ id }) => id));

/** Runs the senders an hour at a time until nothing waits. */
async function recover(app: App, groups: readonly Group[]): Promise<void> {
  for (let round = 0; ; round++) {
    const waiting = await app.sql`
      select 1 from verifactu_sendings
       where company_id = any(${idsOf(groups)}::uuid[]) and status in ('pending', 'sending') and not is_blocked limit 1`;
    if (waiting.length === 0) return;
    assert.ok(round < roundsMax, 'records still wait');
    app.clock.advance(hourMs + 1000);
    await runAllDue(app, groups);
  }
}

type AuthorityStep = Exclude<Step, ProcessStep>;
type Gates = Readonly<Record<AuthorityStep, Gate>>;
const isAuthority = (step: Step): step is AuthorityStep => step === 'working' || step === 'decided';

/** Starts a worker, and kills it when every company has reached its step. */
async function killAtSteps(
  t: TestContext,
  app: App,
  authority: TestAuthority,
  gates: Gates,
  groups: readonly Group[],
): Promise<void> {
  const of_process = groups.filter(({ step }) => !isAuthority(step));
  const idsAt = (wanted: Step) => idsOf(groups.filter(({ step }) => step === wanted));
  const impatient = of_process.flatMap(({ places }) =>
    places.filter(({ row }) => row.is_impatient).map(({ id }) => id),
  );
  const steps = Object.fromEntries(
    groups.flatMap(({ step, places }) => places.map(({ id }) => [id, isAuthority(step) ? null : step])),
  );
  const child = await startChild(t, app, {
    clock: { shows: app.clock.now().getTime(), when: Date.now(), speed: 1 },
    sender: { connection: authority.connection, patience: { impatient, impatience_ms }, steps },
    // Each new connection costs PostgreSQL more than what is sent over it here.
    pool_size: 4,
  });
  const reached = idsOf(of_process);
  await until(() => child.lines.length >= reached.length);
  assert.deepEqual(child.lines.toSorted(), reached.toSorted());
  const answersAll = (ids: readonly string[]) => () => {
    const told = new Set(authority.simulator.log.map(({ company_id }) => company_id));
    return ids.every((id) => told.has(id));
  };
  for (const step of ['working', 'decided'] as const) await gates[step].holds(idsAt(step));
  // Of one step the worker lives on but hears nothing. Of the other it dies while the authority continues.
  child.signal('SIGSTOP');
  gates.decided.open();
  await until(answersAll(idsAt('decided')));
  await child.kill();
  gates.working.open();
  await until(answersAll(idsAt('working')));
}

/** One worker meets all of it, and dies once. */
async function killEverywhere(t: TestContext) {
  const gates: Gates = { working: new Gate(), decided: new Gate() };
  const gateOf = new Map<string, Gate>();
  let app: App | undefined;
  const authority = await startTestAuthority(t, {
    hold_milliseconds: 20_000,
    messages_max: 10_000,
    async now(company_id) {
      await gateOf.get(company_id)?.pass(company_id);
      return app!.clock.now();
    },
  });
  const hasty: Place[] = [];
  const patience = {
    /** Companies before their first fault, an answer that never comes. For that one alone their client gives up early. */
    get impatient() {
      const { waiting } = authority.simulator.faults;
      return hasty.filter(({ row, id }) => waiting(id) === row.faults.length).map(({ id }) => id);
    },
    impatience_ms,
  };
  app = await startApp(t, { fresh: true, wrap_ports: portsTo(authority.connection, patience) });
  const made = app;
  await noteStatuses(made);
  const groups: Group[] = [];
  for (const { step } of steps)
    groups.push({ step, places: await Promise.all(rows.map((row) => prepare(made, row))) });
  for (const { step, places } of groups)
    for (const place of places) {
      for (const fault of place.row.faults) authority.simulator.faults.next(place.id, fault);
      if (place.row.is_impatient) hasty.push(place);
      if (isAuthority(step)) gateOf.set(place.id, gates[step]);
    }
  for (const gate of Object.values(gates)) gate.shut();
  try {
    await killAtSteps(t, made, authority, gates, groups);
  } finally {
    for (const gate of Object.values(gates)) gate.open();
  }
  await recover(made, groups);
  return { app: made, authority, groups };
}

test('one authority has every fault, and its worker is killed at every step', async (t) => {
  const { app, authority, groups } = await killEverywhere(t);
  for (const { step, places } of groups) {
    const { title } = steps.find((one) => one.step === step)!;
    await t.test(
      `given every fault of the authority, when the worker is killed (${title}), then each record comes to its end, once`,
      async () => {
        for (const place of places) await assertEnds(app, authority, place, step);
      },
    );
  }
  const count = authority.simulator.log.length;
  app.clock.advance(25 * hourMs);
  await runAllDue(app, groups);
  assert.equal(authority.simulator.log.length, count, 'what has ended is not sent again');
});

test('the page on reliability shows the table that is tried here', () => {
  const file = join(projectRoot, 'docs/reliability.md');
  const page = readFileSync(file, 'utf8');
  const [head, tail] = ['<!-- table -->\n', '\n<!-- end of table -->'];
  const [from, to] = [page.indexOf(head) + head.length, page.indexOf(tail)];
  assert.ok(from >= head.length && to >= from, 'the page has a place for the table');
  if (process.env.FOLIO_TEST_UPDATE) {
    writeFileSync(file, page.slice(0, from) + markdownTable() + page.slice(to));
    return;
  }
  assert.equal(page.slice(from, to), markdownTable(), 'FOLIO_TEST_UPDATE=1 rewrites it');
});
