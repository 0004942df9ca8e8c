/** What a company does to others with work that goes on after a call: at its limits, until the signal. */
import type { App, TestCompany } from '../harness.ts';
import { makePkcs12, makeTestCertificate } from './certificates.ts';
import { givenEndpoint, type TestReceiver } from './test-receiver.ts';

export type Sent = {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers of every shape
  body: any;
};

export type Hostile = {
  /** With the live key, if no other is given. What is answered is noted: `GET /v1/clients 200`. */
  send(method: string, path: string, body?: string, key?: string): Promise<Sent>;
  note(what: string): void;
  /** Of its webhooks. */
  receiver: TestReceiver;
};

/** Does its worst until the signal. */
type Work = (hostile: Hostile, app: App, company: TestCompany, signal: AbortSignal) => Promise<void>;

export type Attack = {
  what: string;
  work: Work;
  /** What has come about, so many times, while the others work. An attack that comes to nothing shows nothing. */
  wanted: readonly (readonly [noted: RegExp, times: number])[];
};

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

/** Requests of one company at one host, of endpoints that have some under way already (host-shares.ts). */
const ofCompanyAtHost = 32;

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
async function print(hostile: Hostile, _app: App, company: TestCompany, signal: AbortSignal): Promise<void> {
  await again(signal, 24, async (at) => {
    const key = at % 2 === 0 ? company.live_key : company.test_key;
    const body = { ...longDocument, notes: String(at), lines: longDocument.lines.slice(0, 100 + (at % 100)) };
    const made = await hostile.send('POST', '/v1/invoices', JSON.stringify({ ...body, type: 'F2' }), key);
    if (made.status === 201)
      await hostile.send('GET', `/v1/invoices/${made.body.data.id}/pdf`, undefined, key);
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
  await app.put('/v1/verifactu/settings', { key: company.live_key, body: { enabled: true } });
  const lines = [{ description: 'Café', unit_price: 1.5, tax_rate: 10 }];
  const body = { type: 'F2', lines, options: { issue: true, register_verifactu: true } };
  for (let i = 0; i < 20; i++) await app.post('/v1/invoices', { key: company.live_key, body });
  await again(signal, 24, () => hostile.send('POST', '/v1/verifactu/integrity-checks', '{}'));
}

/** Each with a document that has to be printed; the worker sends them meanwhile. */
async function sendMail(
  hostile: Hostile,
  app: App,
  _company: TestCompany,
  signal: AbortSignal,
): Promise<void> {
  app.service.worker.start();
  const to = Array.from({ length: 50 }, (_, i) => `a${i}@example.com`);
  await again(signal, 12, async (at) => {
    const lines = longDocument.lines.slice(0, 20 + (at % 20));
    const body = { type: 'F2', lines, options: { issue: true } };
    const made = await hostile.send('POST', '/v1/invoices', JSON.stringify(body));
    if (made.status !== 201) return;
    await hostile.send('POST', `/v1/invoices/${made.body.data.id}/send`, JSON.stringify({ to, cc: [] }));
    const { body: sent } = await hostile.send('GET', '/v1/emails?status=sent&limit=1');
    if (sent.data?.length > 0) hostile.note('a mail is sent');
  });
}

/** Its receivers take every request and answer none; what it changes gives them more. */
async function deliver(hostile: Hostile, app: App, company: TestCompany, signal: AbortSignal): Promise<void> {
  const { receiver } = hostile;
  receiver.behaviour = () => undefined;
  for (let i = 0; i < 8; i++) await givenEndpoint(app, company, `${receiver.url}/${i}`);
  app.service.worker.start();
  app.service.deliveries.start();
  await again(signal, 12, async (at) => {
    await hostile.send('POST', '/v1/products', JSON.stringify({ name: `Silla ${at}` }));
    if (receiver.open >= ofCompanyAtHost) hostile.note('its share of a host is used up');
  });
}

export const hostileCalls: readonly Attack[] = [
  { what: 'long documents to print', work: print, wanted: [[/^GET .+pdf 200$/, 1]] },
  {
    what: 'certificates of many rounds',
    work: readCertificates,
    wanted: [
      [/^PUT .+certificate (200|422)$/, 1],
      [/^PUT .+certificate 429$/, 1],
    ],
  },
  { what: 'checks of its chain', work: checkChains, wanted: [[/integrity-checks 201$/, 2]] },
  {
    what: 'receivers that never answer',
    work: deliver,
    wanted: [[/^its share of a host is used up$/, 12]],
  },
  {
    what: 'mails without end',
    work: sendMail,
    wanted: [
      [/send 200$/, 12],
      [/^a mail is sent$/, 1],
    ],
  },
];
