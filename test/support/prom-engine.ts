/** Queries and alerts as Prometheus works them out: `promtool test rules` has its engine. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const judge = 'promtool';

/** Each series with its values, a minute apart, as promtool writes them. */
export type Series = Record<string, string>;

/** Two looks at one page: the first for ten minutes, then the second. */
export function seriesOf(first: string, second: string): Series {
  const samples = (text: string) =>
    [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name = '', labels = '', value = '']) => {
      const all = [...(labels === '' ? [] : [labels]), 'instance="a"'].join(',');
      return [`${name}{${all}}`, value] as const;
    });
  const before = new Map(samples(first));
  return Object.fromEntries(
    samples(second).map(([series, value]) => [series, `${before.get(series) ?? 0}+0x9 ${value}+0x20`]),
  );
}

/** Nothing is expected, so whatever comes about is told. */
function tell(series: Series, asked: object, rule_files: readonly string[] = []): string {
  const folder = mkdtempSync(join(tmpdir(), 'folio-queries-'));
  try {
    const input_series = Object.entries(series).map(([of, values]) => ({ series: of, values }));
    const file = join(folder, 'test.yml');
    const tests = [{ interval: '1m', input_series, ...asked }];
    writeFileSync(file, JSON.stringify({ rule_files, evaluation_interval: '1m', tests }));
    const { stdout, stderr } = spawnSync(judge, ['test', 'rules', file], { encoding: 'utf8' });
    const text = `${stdout}${stderr}`;
    assert.doesNotMatch(text, /\berr: |^ {2}[a-z]/m, text);
    return text;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @returns those that give a series at the thirteenth minute */
export function answered(series: Series, queries: readonly string[]): string[] {
  const promql_expr_test = queries.map((expr) => ({ expr, eval_time: '13m', exp_samples: [] }));
  const text = tell(series, { promql_expr_test });
  const given = [...text.matchAll(/^ {4}expr: "(.*)", time: /gm)].map(([, query]) =>
    JSON.parse(`"${query}"`),
  );
  assert.deepEqual(
    given.filter((query) => !queries.includes(query)),
    [],
  );
  return given;
}

/** @returns the alerts of a file of rules that fire at the twenty-fifth minute */
export function firing(series: Series, rules: string, names: readonly string[]): string[] {
  const alert_rule_test = names.map((alertname) => ({ alertname, eval_time: '25m', exp_alerts: [] }));
  const text = tell(series, { alert_rule_test }, [rules]);
  return names.filter((name) => text.includes(`alertname: ${name}, `));
}
