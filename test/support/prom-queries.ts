/** What queries for Prometheus ask for, by the grammar of Prometheus' own editor. */
import { parser } from '@prometheus-io/lezer-promql';

export type Asked = { metrics: { name: string; labels: string[] }[]; grouped_by: string[] };

/** @throws Error for a query that is none */
export function readQuery(query: string): Asked {
  const asked: Asked = { metrics: [], grouped_by: [] };
  parser.parse(query).iterate({
    enter({ name, from, to, node }) {
      if (node.type.isError) throw new Error(`No query: ${query}`);
      const text = query.slice(from, to);
      const parent = node.parent?.name;
      if (name === 'Identifier' && parent === 'VectorSelector')
        asked.metrics.push({ name: text, labels: [] });
      if (name !== 'LabelName') return;
      if (parent === 'GroupingLabels') asked.grouped_by.push(text);
      else asked.metrics.at(-1)?.labels.push(text);
    },
  });
  return asked;
}
