/** Part (m): a quote turned into an invoice's draft against that draft made anew, and a month's notes in one invoice. */
import { startFolio } from './children.ts';
import { draftBody, expected } from './fixtures.ts';
import { type LoadGenerator, type LoadRequest, makeLoadGenerator, WrongResult } from './load.ts';
import type { BenchCompany, Place } from './place.ts';
import type { BenchOptions } from './options.ts';
import { createDrafts } from './part-quotes.ts';
import { type Figure, interleave, ratioOf, spreadOf } from './statistics.ts';

const part = '(m) conversions';
const callersMax = 32;
const notes = 100;
const linesEach = 5;

export async function measureConversions(place: Place, options: BenchOptions): Promise<Figure[]> {
  const folio = await startFolio(place.data_dir, options.profile_dir);
  const load = makeLoadGenerator(folio.url, callersMax);
  try {
    const converted = await measureConverting(place, load, await place.makeCompany(), options);
    const month = await beginMonth(load, await place.makeCompany());
    return [
      ...converted,
      ...(await measureMonth(load, month, options)),
      ...(await followMemory(place, month, options)),
    ];
  } finally {
    await load.close();
    await folio.stop();
  }
}

const headersOf = ({ key }: BenchCompany) => ({
  authorization: `Bearer ${key}`,
  'content-type': 'application/json',
});

async function measureConverting(
  place: Place,
  load: LoadGenerator,
  company: BenchCompany,
  options: BenchOptions,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  const headers = headersOf(company);
  let converted = 0;
  for (const [concurrency, count] of [
    [1, 200],
    [callersMax, 600],
  ] as const) {
    const requestsOf = (is_warm_up: boolean) => Math.ceil((count * options.scale) / (is_warm_up ? 3 : 1));
    // All beforehand: what follows a burst of writes is slower.
    const stock: string[] = [];
    for (const is_warm_up of [true, ...Array.from({ length: options.rounds }, () => false)]) {
      const { ids } = await createDrafts(load, company, {
        path: '/v1/quotes',
        concurrency: callersMax,
        requests: requestsOf(is_warm_up),
        more: { options: { mark_pending: true } },
      });
      stock.push(...ids);
    }
    const rates = await interleave(options.rounds, {
      convert: async (is_warm_up) => {
        const ids = stock.splice(0, requestsOf(is_warm_up));
        const make = (i: number) =>
          ({ method: 'POST', path: `/v1/quotes/${ids[i]}/convert`, headers, body: '{}' }) as const;
        const run = await load.run({ concurrency, requests: ids.length, status: 201, make });
        for (const text of run.answers) checkDraft(text, expected.lines, expected.total);
        converted += run.answers.length;
        return run.per_second;
      },
      draft: async (is_warm_up) => {
        const requests = requestsOf(is_warm_up);
        return (await createDrafts(load, company, { path: '/v1/invoices', concurrency, requests }))
          .per_second;
      },
    });
    const where = concurrency === 1 ? '1 caller' : `${concurrency} callers`;
    figures.push(
      { part, what: `${where}: a quote converted`, unit: 'requests/s', spread: spreadOf(rates.convert) },
      { part, what: `${where}: an invoice's draft`, unit: 'requests/s', spread: spreadOf(rates.draft) },
      {
        part,
        what: `${where}: converted / draft`,
        unit: 'ratio',
        spread: ratioOf(rates.convert, rates.draft),
        ...(concurrency === 1 ? { aim: { at_least: 0.7 } } : {}),
      },
    );
  }
  const [found] = await place.owner<{ links: number; quotes: number }[]>`
    select (select count(*)::int from document_links where company_id = ${company.company_id} and undone_at is null) as links,
           (select count(*)::int from quotes where company_id = ${company.company_id} and status = 'converted') as quotes`;
  if (found!.links !== converted || found!.quotes !== converted)
    throw new WrongResult(
      `Of ${converted} conversions, ${found!.quotes} quotes and ${found!.links} links are there.`,
    );
  options.say(`${converted} conversions checked: each quote became one draft.`);
  return figures;
}

function checkDraft(text: string, lines: number, total?: number): string {
  const { data } = JSON.parse(text) as {
    data: { id: string; status: string; total: number; lines: unknown[] };
  };
  const { id, status } = data;
  if (status !== 'draft' || data.lines.length !== lines || (total !== undefined && data.total !== total))
    throw new WrongResult(`A draft is wrong: ${text.slice(0, 300)}`);
  return id;
}

type Month = { headers: Record<string, string>; ids: string[]; draft: string };

/** A month's notes, and the body of a draft with as many lines. */
async function beginMonth(load: LoadGenerator, company: BenchCompany): Promise<Month> {
  const headers = headersOf(company);
  const line = { description: 'Caja de folios', quantity: 2, unit_price: 15.5, tax_rate: 21 };
  const body = draftBody(company.client_id, {
    lines: Array.from({ length: linesEach }, () => line),
    options: { mark_pending: true },
  });
  const { answers } = await load.run({
    concurrency: 8,
    requests: notes,
    status: 201,
    make: () => ({ method: 'POST', path: '/v1/delivery_notes', headers, body }),
  });
  const ids = answers.map((text) => (JSON.parse(text) as { data: { id: string } }).data.id);
  const draft = draftBody(company.client_id, {
    lines: Array.from({ length: notes * linesEach }, () => line),
  });
  return { headers, ids, draft };
}

const send = (load: LoadGenerator, request: LoadRequest, status: number) =>
  load.run({ concurrency: 1, requests: 1, status, make: () => request });

/** Deletes what it makes, so that the notes can be billed again. @returns milliseconds to make it */
async function makeOnce(
  load: LoadGenerator,
  { headers }: Month,
  path: string,
  body: string,
): Promise<number> {
  const { answers, ms } = await send(load, { method: 'POST', path, headers, body }, 201);
  const id = checkDraft(answers[0]!, notes * linesEach);
  const { authorization = '' } = headers;
  await send(load, { method: 'DELETE', path: `/v1/invoices/${id}`, headers: { authorization } }, 200);
  return ms[0]!;
}

const recapitulate = (load: LoadGenerator, month: Month) =>
  makeOnce(load, month, '/v1/delivery_notes/recapitulate', JSON.stringify({ delivery_note_ids: month.ids }));

async function measureMonth(load: LoadGenerator, month: Month, options: BenchOptions): Promise<Figure[]> {
  const each = (make: () => Promise<number>) => async () => {
    const all: number[] = [];
    for (let i = 0; i < Math.ceil(10 * options.scale); i++) all.push(await make());
    return spreadOf(all).median;
  };
  const times = await interleave(options.rounds, {
    month: each(() => recapitulate(load, month)),
    draft: each(() => makeOnce(load, month, '/v1/invoices', month.draft)),
  });
  return [
    {
      part,
      what: `${notes} notes of ${linesEach} lines in one invoice`,
      unit: 'ms',
      spread: spreadOf(times.month),
    },
    { part, what: `a draft of ${notes * linesEach} lines`, unit: 'ms', spread: spreadOf(times.draft) },
    {
      part,
      what: `${notes} notes / draft of ${notes * linesEach} lines`,
      unit: 'ratio',
      spread: ratioOf(times.month, times.draft),
      aim: { at_most: 3 },
    },
  ];
}

/** Else it grows for a long while before the engine collects. */
const heap = { NODE_OPTIONS: '--max-old-space-size=160' };

/** Fills that heap first. */
const before = 40;

/** By tenths, in a process of its own. */
async function followMemory(place: Place, month: Month, options: BenchOptions): Promise<Figure[]> {
  const count = options.is_quick ? 40 : 200;
  const folio = await startFolio(place.data_dir, undefined, 'all', heap);
  const load = makeLoadGenerator(folio.url, 1);
  const seen: number[] = [];
  try {
    for (let i = 0; i < before; i++) await recapitulate(load, month);
    for (let tenth = 1; tenth <= 10; tenth++) {
      for (let i = 0; i < count / 10; i++) await recapitulate(load, month);
      const resident = folio.resident();
      if (resident === null) return [];
      seen.push(resident);
    }
  } finally {
    await load.close();
    await folio.stop();
  }
  options.say(`Memory over ${count} recapitulations, by tenths: ${seen.map(Math.round).join(', ')} MB.`);
  const what = `memory of the service, ${count} invoices of ${notes} notes`;
  return [
    { part, what: `${what}: most`, unit: 'MB', spread: spreadOf(seen) },
    {
      part,
      what: `${what}: last fifth / first fifth`,
      unit: 'ratio',
      spread: spreadOf([Math.max(...seen.slice(-2)) / Math.max(...seen.slice(0, 2))]),
      aim: { at_most: 1.25 },
    },
  ];
}
