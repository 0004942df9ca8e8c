/** What a company does to others with work that goes on after a call: at its limits, until the signal. */
import type { App, TestCompany } from '../harness.ts';
import { makePkcs12, makeTestCertificate } from './certificates.ts';

export type Hostile = { send(method: string, path: string, body?: string): Promise<number> };

/** Does its worst until the signal. */
export type Attack = (hostile: Hostile, app: App, company: TestCompany, signal: AbortSignal) => Promise<void>;

export async function again(
  signal: AbortSignal,
  width: number,
  call: (at: number) => Promise<unknown>,
): Promise<void> {
  let at = 0;
  const one = async () => {
    while (!signal.aborted) await call(at++);
  };
  await Promise.all(Array.from({ length: width }, one));
}

/** Long words and line ends, as many as print. */
export const longDocument = {
  type: 'F1',
  lines: Array.from({ length: 200 }, (_, i) => ({
    description: `${'palabra larga\n'.repeat(20)}${'x'.repeat(500)} ${i}`,
    unit_price: 10,
    tax_rate: 21,
  })),
};

/** Another document each time, so that nothing is remembered of it. */
async function print(_hostile: Hostile, app: App, company: TestCompany, signal: AbortSignal): Promise<void> {
  await again(signal, 24, async (at) => {
    const key = at % 2 === 0 ? company.live_key : company.test_key;
    const body = { ...longDocument, notes: String(at), lines: longDocument.lines.slice(0, 100 + (at % 100)) };
    const made = await app.post('/v1/invoices', { key, body: { ...body, type: 'F2' } });
    if (made.status === 201) await app.get(`/v1/invoices/${made.body.data.id}/pdf`, { key });
  });
}

/** As many rounds as a file may ask for. */
async function readCertificates(
  hostile: Hostile,
  _app: App,
  company: TestCompany,
  signal: AbortSignal,
): Promise<void> {
  const { private_key, certificates } = makeTestCertificate({ kind: 'seal', tax_id: company.tax_id });
  const content = { private_key, certificates };
  const file = makePkcs12([content, content], 'x', 'aes256', 300_000).toString('base64');
  const body = JSON.stringify({ pkcs12_base64: file, password: 'x' });
  await again(signal, 24, () => hostile.send('PUT', '/v1/verifactu/certificate', body));
}

async function checkChains(
  hostile: Hostile,
  app: App,
  company: TestCompany,
  signal: AbortSignal,
): Promise<void> {
  const lines = [{ description: 'Café', unit_price: 1.5, tax_rate: 10 }];
  const body = { type: 'F2', lines, options: { issue: true, register_verifactu: true } };
  for (let i = 0; i < 20; i++) await app.post('/v1/invoices', { key: company.live_key, body });
  await again(signal, 24, () => hostile.send('POST', '/v1/verifactu/integrity-checks', '{}'));
}

/** Each with a document that has to be printed; the worker sends them meanwhile. */
async function sendMail(
  _hostile: Hostile,
  app: App,
  { test_key: key }: TestCompany,
  signal: AbortSignal,
): Promise<void> {
  app.service.worker.start();
  const to = Array.from({ length: 50 }, (_, i) => `a${i}@example.com`);
  await again(signal, 12, async (at) => {
    const lines = longDocument.lines.slice(0, 20 + (at % 20));
    const made = await app.post('/v1/invoices', {
      key,
      body: { type: 'F2', lines, options: { issue: true } },
    });
    if (made.status === 201)
      await app.post(`/v1/invoices/${made.body.data.id}/send`, { key, body: { to, cc: [] } });
  });
}

export const hostileCalls: readonly (readonly [what: string, attack: Attack])[] = [
  ['long documents to print', print],
  ['certificates of many rounds', readCertificates],
  ['checks of its chain', checkChains],
  ['mails without end', sendMail],
];
