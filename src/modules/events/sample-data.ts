/** Makes up a value of a schema, for test events. */
import type { TSchema } from '../../kernel/schema.ts';

type Node = {
  const?: unknown;
  enum?: unknown[];
  /** What a real one may say, for texts that are never empty. */
  examples?: unknown[];
  nullable?: boolean;
  type?: string;
  format?: string;
  properties?: Record<string, Node>;
};

export function sampleOf(schema: TSchema, id: string, now: Date): unknown {
  const node = schema as Node;
  if (node.nullable) return null;
  if ('const' in node) return node.const;
  if (node.enum) return node.enum[0];
  if (node.examples) return node.examples[0];
  if (node.type === 'object') {
    const members = Object.entries(node.properties ?? {});
    return Object.fromEntries(members.map(([key, member]) => [key, sampleOf(member as TSchema, id, now)]));
  }
  if (node.type === 'boolean') return false;
  if (node.type === 'integer' || node.type === 'number') return 0;
  const texts: Record<string, string> = {
    uuid: id,
    instant: now.toISOString(),
    day: now.toISOString().slice(0, 10),
  };
  return texts[node.format ?? ''] ?? '';
}
