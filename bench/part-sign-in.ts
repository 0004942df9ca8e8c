/** Part (s): what a sign-in costs, ten at once, and what programs feel meanwhile. */
import { setTimeout as wait } from 'node:timers/promises';
import { newId } from '../src/kernel/uuid7.ts';
import { hashPassword } from '../src/modules/people/sign-in/passwords.ts';
import { makeInvoice } from './begun.ts';
import { startFolio } from './children.ts';
import { type LoadGenerator, type LoadRequest, makeLoadGenerator, WrongResult } from './load.ts';
import type { BenchOptions } from './options.ts';
import type { Place } from './place.ts';
import { type Figure, interleave, quantile, ratioOf, type Spread, spreadOf } from './statistics.ts';

const part = '(s) sign-in';
const together = 10;
const password = 'una frase bien larga';

export async function measureSignIn(place: Place, options: BenchOptions): Promise<Figure[]> {
  const folio = await startFolio(place.data_dir, options.profile_dir);
  const load = makeLoadGenerator(folio.url, together);
  const programs = makeLoadGenerator(folio.url, 2);
  try {
    const makeRequest = await openForm(folio.url);
    const requests = (await makePeople(place)).map(makeRequest);
    const read = await makeRead(place, programs, Math.ceil(1500 * options.scale));
    const one = async () => {
      const { ms } = await load.run({
        concurrency: 1,
        requests: Math.ceil(20 * options.scale),
        status: 303,
        make: (i) => requests[i % together]!,
      });
      return quantile(ms, 0.5);
    };
    const figures = await interleave(options.rounds, {
      one,
      ten: () => signInTogether(load, requests),
      alone: read,
      beside: () => beside(load, requests, read),
    });
    return figuresOf(figures);
  } finally {
    await Promise.all([load.close(), programs.close()]);
    await folio.stop();
  }
}

type Figures = { one: number[]; ten: Ten[]; alone: number[]; beside: number[] };

function figuresOf({ one, ten, alone, beside: meanwhile }: Figures): Figure[] {
  const row = (what: string, unit: Figure['unit'], spread: Spread, aim?: Figure['aim']): Figure => {
    return { part, what, unit, spread, ...(aim ? { aim } : {}) };
  };
  const of = (pick: (one: Ten) => number) => spreadOf(ten.map(pick));
  return [
    row('one sign-in', 'ms', spreadOf(one), { at_most: 150 }),
    row('one sign-in, for whoever guesses', 'ms', spreadOf(one), { at_least: 40 }),
    row(
      `${together} at once: until each has an answer`,
      'ms',
      of(({ answered_ms }) => answered_ms),
    ),
    row(
      `${together} at once: in at the first try`,
      'ratio',
      of(({ first }) => first / together),
    ),
    row(
      `${together} at once: until all are in`,
      'ms',
      of(({ in_ms }) => in_ms),
    ),
    row('GET invoice alone: p99', 'ms', spreadOf(alone)),
    row(`GET invoice, ${together} at once meanwhile: p99`, 'ms', spreadOf(meanwhile)),
    row(`GET invoice, ${together} at once meanwhile: p99 / alone`, 'ratio', ratioOf(meanwhile, alone), {
      at_most: 2,
    }),
  ];
}

type Ten = { answered_ms: number; in_ms: number; first: number };

/** Whoever is told to come back does so when they were told to, until all are in. */
async function signInTogether(load: LoadGenerator, requests: readonly LoadRequest[]): Promise<Ten> {
  const started = performance.now();
  const since = () => performance.now() - started;
  let left = requests;
  let first: Omit<Ten, 'in_ms'> | undefined;
  for (;;) {
    const answers = await load.burst(left);
    const odd = answers.find(({ status }) => status !== 303 && status !== 503);
    if (odd) throw new WrongResult(`One of ${left.length} sign-ins answered ${odd.status}: ${odd.text}`);
    left = left.filter((_, at) => answers[at]!.status === 503);
    first ??= { answered_ms: since(), first: requests.length - left.length };
    if (left.length === 0) return { ...first, in_ms: since() };
    await wait(1000);
  }
}

/** Ten people are in the middle of it, over and over. */
async function beside(
  load: LoadGenerator,
  requests: readonly LoadRequest[],
  measure: () => Promise<number>,
): Promise<number> {
  let is_over = false;
  const people = (async () => {
    while (!is_over) await signInTogether(load, requests);
  })();
  people.catch(() => undefined);
  const found = await measure();
  is_over = true;
  await people;
  return found;
}

/** @returns what measures the 99th percentile of a read by two programs, in milliseconds */
async function makeRead(place: Place, load: LoadGenerator, requests: number): Promise<() => Promise<number>> {
  const company = await place.makeCompany();
  const { id } = await makeInvoice(load, company);
  const headers = { authorization: `Bearer ${company.key}` };
  const make = (): LoadRequest => ({ method: 'GET', path: `/v1/invoices/${id}`, headers });
  return async () => quantile((await load.run({ concurrency: 2, requests, status: 200, make })).ms, 0.99);
}

async function makePeople({ owner }: Place): Promise<string[]> {
  const password_hash = await hashPassword(password);
  const now = new Date();
  const emails = Array.from({ length: together }, () => `${newId()}@norte.example`);
  for (const email of emails) {
    const id = newId();
    await owner`
      insert into users (id, name, language, password_hash, password_set_at, email_confirmed_at, created_at, updated_at)
      values (${id}, 'Ana Gil', 'es', ${password_hash}, ${now}, ${now}, ${now}, ${now})`;
    await owner`insert into user_emails (email, user_id) values (${email}, ${id})`;
  }
  return emails;
}

/** The page of one visitor, whose form is sent by all. */
async function openForm(url: string): Promise<(email: string) => LoadRequest> {
  const page = await fetch(`${url}/sign-in`);
  const text = await page.text();
  const cookie = page.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const inputs = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)];
  const hidden = Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, value]));
  const headers = {
    cookie,
    origin: url,
    'sec-fetch-site': 'same-origin',
    'content-type': 'application/x-www-form-urlencoded',
  };
  return (email) => {
    const body = new URLSearchParams({ ...hidden, email, password }).toString();
    return { method: 'POST', path: '/sign-in', headers, body };
  };
}
