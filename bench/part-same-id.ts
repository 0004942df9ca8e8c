/** Part (g): fifty callers at once with one external id, against fifty with different ones. */
import { deepStrictEqual } from 'node:assert';
import { beginCompany, createRequest, withoutLink } from './begun.ts';
import { Acknowledged, checkInvoices } from './checks.ts';
import { startFolio } from './children.ts';
import { type BurstAnswer, makeLoadGenerator, WrongResult } from './load.ts';
import type { Place } from './place.ts';
import type { BenchOptions } from './options.ts';
import { type Figure, interleave, ratioOf, spreadOf } from './statistics.ts';

const part = '(g) one external_id';
const callers = 50;

export async function measureSameId(place: Place, options: BenchOptions): Promise<Figure[]> {
  const acknowledged = new Acknowledged();
  const folio = await startFolio(place.data_dir, options.profile_dir);
  const load = makeLoadGenerator(folio.url, callers);
  try {
    const company = await beginCompany(place, load, acknowledged);
    const { company_id } = company;
    const bursts = Math.ceil(10 * options.scale);
    let made = 0;
    /** Mean milliseconds until a burst's last answer. */
    const time = async (idOf: (burst: number, i: number) => string, check: (of: BurstAnswer[]) => void) => {
      let sum = 0;
      for (let n = 0; n < bursts; n++) {
        made += 1;
        const requests = Array.from({ length: callers }, (_, i) => createRequest(company, idOf(made, i)));
        const answers = await load.burst(requests);
        check(answers);
        sum += Math.max(...answers.map((answer) => answer.ms));
      }
      return sum / bursts;
    };
    const slowest = await interleave(options.rounds, {
      same: () =>
        time(
          (burst) => `same-${burst}`,
          (answers) => acknowledged.addAnswer(company_id, onlyOne(answers)),
        ),
      different: () =>
        time(
          (burst, i) => `other-${burst}-${i}`,
          (answers) => {
            for (const { status, text } of answers) {
              if (status !== 201)
                throw new WrongResult(`A new external id answered ${status}: ${text.slice(0, 500)}`);
              acknowledged.addAnswer(company_id, text);
            }
          },
        ),
    });
    await checkInvoices(place.owner, acknowledged);
    options.say(`${acknowledged.count} invoices checked: one for each external_id, no gap, none missing.`);
    return [
      {
        part,
        what: `${callers} callers, one id: slowest answer`,
        unit: 'ms',
        spread: spreadOf(slowest.same),
      },
      {
        part,
        what: `${callers} callers, an id each: slowest answer`,
        unit: 'ms',
        spread: spreadOf(slowest.different),
      },
      {
        part,
        what: 'one id / an id each',
        unit: 'ratio',
        spread: ratioOf(slowest.same, slowest.different),
      },
    ];
  } finally {
    await load.close();
    await folio.stop();
  }
}

/** @throws WrongResult unless exactly one call made the invoice */
function onlyOne(answers: readonly BurstAnswer[]): string {
  const [first, ...others] = answers.filter(({ status, is_replayed }) => status === 201 && !is_replayed);
  if (!first || others.length > 0) throw new WrongResult(`One id was answered ${statuses(answers)}.`);
  const expected = withoutLink(first.text);
  for (const answer of answers) {
    if (answer === first) continue;
    if (answer.status !== 200 || !answer.is_replayed)
      throw new WrongResult(`One id was answered ${statuses(answers)}: ${answer.text.slice(0, 500)}`);
    try {
      deepStrictEqual(withoutLink(answer.text), expected);
    } catch (error) {
      throw new WrongResult(`One id was answered in two ways: ${(error as Error).message}`);
    }
  }
  return first.text;
}

function statuses(answers: readonly BurstAnswer[]): string {
  const count = Object.groupBy(
    answers,
    ({ status, is_replayed }) => `${status}${is_replayed ? ' replayed' : ''}`,
  );
  return Object.entries(count)
    .map(([status, of]) => `${of!.length} times ${status}`)
    .join(', ');
}
