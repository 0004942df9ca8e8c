/**
 * The floor of a request: node:http, JSON.parse, the service's statements, and the answer. No framework,
 * schema, scope, limit, log or group commit: each invoice is one transaction in the fewest round trips. The
 * statements come from the service's stores, so both stay equal.
 */
import { createServer, type IncomingMessage } from 'node:http';
import { randomBytes } from 'node:crypto';
import type { Sql } from 'postgres';
import { periodKey, renderNumber } from '../src/domain/series-format.ts';
import type { InvoiceBundle } from '../src/modules/invoices/invoices.rows.ts';
import { readSettingsVersion } from '../src/modules/companies/index.ts';
import { invoices, present } from '../src/modules/invoices/invoices.family.ts';
import { findBundle, insertInvoices, withParts } from '../src/modules/invoices/stored-invoices.ts';
import { listDocumentRows } from '../src/modules/sales/documents.list.ts';
import { readFacts } from '../src/modules/sales/facts.ts';
import { makeLinks } from '../src/modules/pdfs/index.ts';
import { lockChainHead, saveChainHead } from '../src/modules/verifactu/index.ts';
import * as issuing from '../src/modules/series/series.counters.ts';
import { loadCompany } from '../src/platform/company-context.ts';
import { findCredential } from '../src/platform/credentials.ts';
import { connect, setCompanyText } from '../src/platform/db.ts';
import { lastSequences } from '../src/platform/events.ts';
import { insertRows } from '../src/platform/rows.ts';
import { eventColumns, eventRows, makeBundle } from './fixtures.ts';
import { makeMembers } from './members.ts';

const target = JSON.parse(process.env.BENCH_TARGET ?? '{}') as {
  host: string;
  port: number;
  user: string;
  database: string;
};
// The service's default.
const members = makeMembers(target, 10);
const index = connect({ target, pool_size: 4, role: null });

/** Answers contain the public address, as the service's do. */
const ports = { links: makeLinks([randomBytes(32)], () => 'http://127.0.0.1') };

/** The service's invoice whose rows are copied. */
let model: InvoiceBundle | undefined;

async function readModel(sql: Sql, company_id: string): Promise<InvoiceBundle> {
  const [row] = await sql<{ id: string }[]>`select id from invoices where company_id = ${company_id} limit 1`;
  const bundle = row && (await findBundle(sql, company_id, row.id));
  if (!bundle) throw new Error('The company has no invoice to copy.');
  return bundle;
}

async function createInvoice(text: string, secret: string): Promise<unknown> {
  const body = JSON.parse(text) as { client_id: string };
  const credential = await findCredential(index, secret);
  if (!credential) throw new Error('There is no such key.');
  const { company_id } = credential;
  const facts = await members.with(async (sql) => {
    const [, , loaded, rows] = await Promise.all([
      sql.unsafe('begin read only').execute(),
      sql.unsafe(setCompanyText(company_id)).execute(),
      loadCompany(sql, company_id, new Date()),
      readFacts(sql, invoices, company_id, [
        { series_kind: 'invoice', client_id: body.client_id, series_id: null, lines: [], needs_issuer: true },
      ]),
    ]);
    model ??= await readModel(sql, company_id);
    sql.unsafe('commit').execute();
    const client = rows.clients.get(body.client_id);
    const [series] = rows.series;
    if (!client || !series) throw new Error('The client or the series is missing.');
    return {
      client_id: client.id,
      series,
      period: periodKey(series.reset, loaded.today),
      issued_on: loaded.today,
    };
  });
  const { series, period, issued_on } = facts;
  const floor = {
    client_id: facts.client_id,
    series_id: series.id,
    series_code: series.code,
    period,
    issued_on,
  };
  return members.with(async (sql) => {
    const [, , head, counters] = await Promise.all([
      sql.unsafe('begin').execute(),
      sql.unsafe(setCompanyText(company_id)).execute(),
      lockChainHead(sql, company_id),
      issuing.lockCounters(sql, company_id, [{ series_id: series.id, period }]),
      readSettingsVersion(sql, company_id),
      lastSequences(sql, company_id, [series.id]),
    ]);
    const counter = counters[0]!;
    const series_number = counter.next_number;
    const number = renderNumber(series.parts, { code: series.code, on: issued_on, number: series_number });
    const bundle = makeBundle(model!, floor, { series_number, number });
    const next = {
      ...counter,
      next_number: series_number + 1,
      last_issued_on: issued_on,
      taken: 1,
    };
    const done = await Promise.all([
      ...insertInvoices(sql, company_id, [bundle]),
      issuing.saveCounters(sql, company_id, [next]),
      saveChainHead(sql, company_id, { ...head, last_issued_at: new Date() }, 1),
      insertRows(sql, company_id, 'events', eventColumns, eventRows(bundle)),
      sql.unsafe('commit').execute(),
    ]);
    if ((done.at(-1) as { command: string }).command !== 'COMMIT')
      throw new Error('The transaction was rolled back.');
    return { data: present(bundle, { company: { company_id }, ports, caller }) };
  });
}

/** May read all, as the keys of the load do. */
const caller = { scopes: ['*'], modules: [], environment: 'live' } as const;

async function readInvoice(company_id: string, id: string): Promise<unknown> {
  return members.with(async (sql) => {
    const [, , bundle] = await Promise.all([
      sql.unsafe('begin read only').execute(),
      sql.unsafe(setCompanyText(company_id)).execute(),
      findBundle(sql, company_id, id),
    ]);
    sql.unsafe('commit').execute();
    if (!bundle) throw new Error('There is no such invoice.');
    return { data: present(bundle, { company: { company_id }, ports, caller }) };
  });
}

async function readPage(company_id: string, limit: number): Promise<unknown> {
  return members.with(async (sql) => {
    const first = [sql.unsafe('begin read only').execute(), sql.unsafe(setCompanyText(company_id)).execute()];
    const order = { field: 'created', descending: true };
    const rows = await listDocumentRows(sql, invoices, company_id, { limit, order, cursor: null }, {});
    const shown = await withParts(sql, company_id, rows.slice(0, limit));
    await Promise.all(first);
    sql.unsafe('commit').execute();
    return { data: shown.map((bundle) => present(bundle, { company: { company_id }, ports, caller })) };
  });
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

async function answer(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
  const [, first = '', company_id = '', id = ''] = (request.url ?? '').split('/');
  if (first === 'readyz') return { status: 200, body: await index`select 1 as ready` };
  if (first === 'pages') return { status: 200, body: await readPage(company_id, Number(id)) };
  if (request.method === 'GET') return { status: 200, body: await readInvoice(company_id, id) };
  const secret = (request.headers.authorization ?? '').slice('Bearer '.length);
  return { status: 201, body: await createInvoice(await textOf(request), secret) };
}

const server = createServer((request, response) => {
  answer(request).then(
    ({ status, body }) => {
      const text = JSON.stringify(body);
      response.writeHead(status, {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Length': Buffer.byteLength(text),
      });
      response.end(text);
    },
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
server.listen(Number(process.env.PORT), '127.0.0.1');

process.once('SIGTERM', () => {
  server.closeAllConnections();
  server.close();
  void Promise.all([members.close(), index.end({ timeout: 2 })]);
});
