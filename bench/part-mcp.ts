/** Part (q): a tool call against the same read over REST, and the list of all tools, by time of the process and by size. */
import { gunzipSync } from 'node:zlib';
import { startFolio } from './children.ts';
import { invoiceBody } from './fixtures.ts';
import { makeLoadGenerator, WrongResult } from './load.ts';
import type { BenchOptions } from './options.ts';
import type { Place } from './place.ts';
import { type Figure, interleave, ratioOf, spreadOf } from './statistics.ts';

const part = '(q) Tools over MCP';
const stored = 100;
const revision = '2026-07-28';

function message(method: string, params: Record<string, unknown> = {}) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } });
}

export async function measureTools(place: Place, options: BenchOptions): Promise<Figure[]> {
  const folio = await startFolio(place.data_dir, options.profile_dir);
  const load = makeLoadGenerator(folio.url, 32);
  try {
    const { key, client_id } = await place.makeCompany();
    const authorization = `Bearer ${key}`;
    const json = { authorization, 'content-type': 'application/json' };
    const mcp = { ...json, accept: 'application/json, text/event-stream', 'mcp-protocol-version': revision };
    const body = invoiceBody(client_id);
    const made = await load.run({
      concurrency: 8,
      requests: stored,
      status: 201,
      make: () => ({ method: 'POST', path: '/v1/invoices', headers: json, body }),
    });
    const ids = made.answers.map((text) => (JSON.parse(text) as { data: { id: string } }).data.id);
    const call = { ...mcp, 'mcp-method': 'tools/call', 'mcp-name': 'get_invoice' };
    const count = (is_warm_up: boolean) => Math.ceil((2000 * options.scale) / (is_warm_up ? 3 : 1));
    const idIn = { rest: (text: string) => JSON.parse(text).data.id, mcp: (text: string) => dataOf(text).id };

    const read = async (way: 'rest' | 'mcp', is_warm_up: boolean) => {
      const { per_second, answers } = await load.run({
        concurrency: 32,
        requests: count(is_warm_up),
        status: 200,
        make: (i) =>
          way === 'rest'
            ? { method: 'GET', path: `/v1/invoices/${ids[i % stored]}`, headers: { authorization } }
            : { method: 'POST', path: '/mcp', headers: call, body: callOf(ids[i % stored]!) },
      });
      for (const [i, text] of answers.entries())
        if (idIn[way](text) !== ids[i % stored]) throw new WrongResult(`Another invoice was read: ${text}`);
      return per_second;
    };
    const rates = await interleave(options.rounds, {
      mcp: (is_warm_up) => read('mcp', is_warm_up),
      rest: (is_warm_up) => read('rest', is_warm_up),
    });
    const lists = await listFigures();
    return [
      { part, what: 'tools/call get_invoice', unit: 'requests/s', spread: spreadOf(rates.mcp) },
      { part, what: 'GET of the same', unit: 'requests/s', spread: spreadOf(rates.rest) },
      {
        part,
        what: 'tools/call / GET',
        unit: 'ratio',
        spread: ratioOf(rates.mcp, rates.rest),
        aim: { at_least: 0.5 },
      },
      ...lists,
    ];

    /** One caller: the time of an answer is that of the process and of a short way. */
    async function listFigures(): Promise<Figure[]> {
      const headers = { ...mcp, 'mcp-method': 'tools/list' };
      const ask = (more: Record<string, string>) =>
        load.run({
          concurrency: 1,
          requests: 60,
          status: 200,
          make: () => ({
            method: 'POST',
            path: '/mcp',
            headers: { ...headers, ...more },
            body: message('tools/list'),
          }),
          keep: (bytes) => bytes.toString('latin1'),
        });
      const [plain, packed] = [await ask({}), await ask({ 'accept-encoding': 'gzip' })];
      const size = ({ answers }: { answers: string[] }) => answers.at(-1)!.length / 1024;
      const text = gunzipSync(Buffer.from(packed.answers.at(-1)!, 'latin1')).toString('latin1');
      if (text !== plain.answers.at(-1)) throw new WrongResult('The packed list says something else.');
      const { tools } = JSON.parse(text).result as { tools: unknown[] };
      const one = (what: string, unit: Figure['unit'], values: number[], aim?: Figure['aim']): Figure => ({
        part,
        what,
        unit,
        spread: spreadOf(values),
        ...(aim ? { aim } : {}),
      });
      return [
        one(`tools/list of ${tools.length} tools`, 'ms', plain.ms.slice(10), { at_most: 10 }),
        one('tools/list, packed', 'ms', packed.ms.slice(10), { at_most: 10 }),
        one('its size', 'KiB', [size(plain)]),
        one('its size, packed', 'KiB', [size(packed)], { at_most: 80 }),
      ];
    }
  } finally {
    await load.close();
    await folio.stop();
  }
}

const callOf = (invoice: string) => message('tools/call', { name: 'get_invoice', arguments: { invoice } });

function dataOf(text: string): { id?: string } {
  return JSON.parse(text).result?.structuredContent?.data ?? {};
}
