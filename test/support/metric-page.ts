/** Prometheus' text format, as /metrics answers it. */
import type { App } from '../harness.ts';

/** The value of each series of one metric, by its labels as they stand. */
export function figuresIn(text: string, name: string): Record<string, number> {
  const lines = text.split('\n').filter((line) => new RegExp(`^${name}[ {]`).test(line));
  return Object.fromEntries(
    lines.map((line) => {
      const [, labels = '', value = ''] = /^\w+(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      return [labels, Number(value)];
    }),
  );
}

export async function figuresOf(app: App, name: string): Promise<Record<string, number>> {
  return figuresIn((await app.get('/metrics')).text, name);
}

/** The names of labels of each metric, and the kinds of metrics by name. */
export function readPage(text: string): { types: Map<string, string>; labels: Map<string, Set<string>> } {
  const types = new Map(
    [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => [name, type]),
  );
  const labels = new Map<string, Set<string>>();
  for (const [, name = '', inside = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const known = labels.get(name) ?? new Set();
    for (const [, label = ''] of inside.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)) known.add(label);
    labels.set(name, known);
  }
  return { types, labels };
}
