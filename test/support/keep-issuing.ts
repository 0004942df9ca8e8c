/** Writers that go on whatever becomes of service and database, and what they may find afterwards. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';

/** A service and its database start again meanwhile, on a machine that may be busy. */
const patienceMs = 120_000;

/** Between two invoices of one writer: what a test waits for meanwhile has a core to itself. */
const pauseMs = 20;
/** Before an invoice is tried again: while service and database start, each try costs what they need. */
const retryMs = 100;

/** Retries each invoice under its idempotency key until acknowledged. */
export async function keepIssuing(
  url: string,
  key: string,
  acknowledged: Map<string, string>,
  is_over: () => boolean,
): Promise<void> {
  while (!is_over()) {
    const idempotency_key = randomUUID();
    const give_up_at = performance.now() + patienceMs;
    for (;;) {
      assert.ok(performance.now() < give_up_at, 'no answer in two minutes');
      const answer = await issueOne(url, key, idempotency_key);
      if (answer) {
        assert.ok(!acknowledged.has(answer.id));
        acknowledged.set(answer.id, answer.number);
        break;
      }
      await sleep(retryMs);
    }
    await sleep(pauseMs);
  }
}

/** @returns undefined for an unknown outcome: no answer, or a passing refusal */
async function issueOne(
  url: string,
  key: string,
  idempotency_key: string,
): Promise<{ id: string; number: string } | undefined> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'idempotency-key': idempotency_key,
  };
  const body = JSON.stringify({
    type: 'F2',
    lines: [{ description: 'Café', unit_price: 1.5, tax_rate: 10 }],
    options: { issue: true },
  });
  let status: number;
  let text: string;
  try {
    const response = await request(`${url}/v1/invoices`, { method: 'POST', headers, body });
    status = response.statusCode;
    text = await response.body.text();
  } catch {
    return undefined;
  }
  if (status === 503 || (status === 409 && text.includes('resource_locked'))) return undefined;
  assert.equal(status, 201, text);
  return (JSON.parse(text) as { data: { id: string; number: string } }).data;
}

/** All of them, newest first. */
export async function listInvoices(
  url: string,
  key: string,
): Promise<{ id: string; number: string | null }[]> {
  const rows: { id: string; number: string | null }[] = [];
  for (let cursor = ''; ; ) {
    const after = cursor === '' ? '' : `&starting_after=${cursor}`;
    const page = JSON.parse(await readWell(`${url}/v1/invoices?limit=100${after}`, key)) as {
      data: { id: string; number: string }[];
      has_more: boolean;
    };
    rows.push(...page.data);
    if (!page.has_more) return rows;
    cursor = page.data.at(-1)?.id ?? '';
  }
}

/**
 * Just after a kill a read may be refused, and says that it can be repeated. While service and embedded database
 * start again nobody listens.
 */
async function readWell(address: string, key: string): Promise<string> {
  const give_up_at = performance.now() + patienceMs;
  for (;;) {
    const { status, text } = await readOnce(address, key);
    if (status === 200) return text;
    assert.ok((status === 503 || status === 'no answer') && performance.now() < give_up_at, text);
    await sleep(500);
  }
}

async function readOnce(
  address: string,
  key: string,
): Promise<{ status: number | 'no answer'; text: string }> {
  try {
    const response = await request(address, { headers: { authorization: `Bearer ${key}` } });
    return { status: response.statusCode, text: await response.body.text() };
  } catch (error) {
    return { status: 'no answer', text: String(error) };
  }
}

/** Each acknowledged invoice is there once, none else is, and their numbers have no gap. */
export async function assertAllKept(
  url: string,
  key: string,
  acknowledged: ReadonlyMap<string, string>,
): Promise<void> {
  const rows = await listInvoices(url, key);
  const stored = new Map(rows.map(({ id, number }) => [id, number]));
  for (const [id, number] of acknowledged) assert.equal(stored.get(id), number);
  assert.equal(stored.size, acknowledged.size, 'every write is there once: each was acknowledged in the end');
  const numbers = rows.map(({ number }) => Number(/(\d+)$/.exec(number ?? '')?.[1])).sort((a, b) => a - b);
  assert.deepEqual(
    numbers,
    numbers.map((_, n) => n + 1),
  );
}
