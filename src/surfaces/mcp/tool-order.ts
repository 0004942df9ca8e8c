/**
 * Which operations are tools, and their order: those that read, then those with a long body (which create or change a
 * document), then the rest; within each the order of the catalogue. gzip looks back 32 KiB, so inputs that say the same
 * are packed once when they are neighbours: in the order of the catalogue all tools took 15 % more.
 */
import type { Operation } from '../../kernel/operation.ts';

/** Characters of the schema of a body: lines of a document take more, other members less. */
const longBody = 4000;

export function toolOperations(catalog: readonly Operation[]): readonly Operation[] {
  const tools = catalog.filter(({ mcp }) => mcp);
  const places = new Map(tools.map((operation) => [operation, placeOf(operation)]));
  return tools.sort((a, b) => places.get(a)! - places.get(b)!);
}

function placeOf({ transaction, body }: Operation): number {
  if (transaction === 'read') return 0;
  return body && JSON.stringify(body).length > longBody ? 1 : 2;
}
