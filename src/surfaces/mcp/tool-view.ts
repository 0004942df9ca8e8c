/** Which tools an address offers: `/mcp?toolsets=invoices,contacts&read_only=true`. It holds for list and call. */
import { fail } from '../../kernel/problem.ts';
import { type Operation, scopesNeeded } from '../../kernel/operation.ts';
import { scopeCatalogue, scopeGroups } from '../../kernel/scopes.ts';
import { mcpErrors as e } from './mcp.errors.ts';

export type ToolView = {
  /** Groups of the scope table; null: all. */
  toolsets: ReadonlySet<string> | null;
  read_only: boolean;
};

/** Of every tool. */
export const wholeView: ToolView = { toolsets: null, read_only: false };
/** Of no tool. */
export const emptyView: ToolView = { toolsets: new Set(), read_only: true };

const groupOf: ReadonlyMap<string, string> = new Map(
  scopeCatalogue.map(({ scope, group }) => [scope, group]),
);
export const toolsetNames: readonly string[] = scopeGroups
  .map(({ group }) => group)
  .filter((group) => group !== 'reserved');

/** @throws 400 unknown_toolset or unknown_mcp_parameter */
export function readView(query: Readonly<Record<string, unknown>>): ToolView {
  const { toolsets, read_only, ...others } = query;
  const [other] = Object.keys(others);
  if (other !== undefined) throw fail(e.unknown_mcp_parameter, { param: other.slice(0, 60) });
  if (read_only !== undefined && read_only !== 'true' && read_only !== 'false')
    throw fail(e.unknown_mcp_parameter, { param: 'read_only' });
  return { toolsets: readToolsets(toolsets), read_only: read_only === 'true' };
}

function readToolsets(given: unknown): ReadonlySet<string> | null {
  if (given === undefined) return null;
  const names = String(given)
    .split(',')
    .map((name) => name.trim());
  const unknown = names.find((name) => !toolsetNames.includes(name));
  if (unknown !== undefined) {
    const values = { name: unknown.slice(0, 60), known: toolsetNames.join(', ') };
    throw fail(e.unknown_toolset, { param: 'toolsets', values });
  }
  return new Set(names);
}

/** A tool is in the set of each scope that it needs. */
export function isInView({ toolsets, read_only }: ToolView, operation: Operation): boolean {
  if (read_only && operation.transaction !== 'read') return false;
  return toolsets === null || scopesNeeded(operation).some((scope) => toolsets.has(groupOf.get(scope) ?? ''));
}
