/** The address of the tools. What is chosen is in the page's own address too, so that it can be handed on. */
import { useAddress } from '../../app/navigate.tsx';
import { useSession } from '../../app/session.tsx';
import { scopeGroups } from '../../printed/scopes.ts';

export type ToolAddress = {
  address: string;
  /** Groups of the scope table; none chosen: all. */
  toolsets: readonly string[];
  is_read_only: boolean;
  choose(toolsets: readonly string[], is_read_only: boolean): void;
};

const known: ReadonlySet<string> = new Set(scopeGroups.map(({ group }) => group));

export function useToolAddress(): ToolAddress {
  const { session } = useSession();
  const { search, change } = useAddress();
  const toolsets = (search.toolsets ?? '').split(',').filter((name) => known.has(name));
  const is_read_only = search.read_only === 'true';
  const query = [
    ...(toolsets.length === 0 ? [] : [`toolsets=${toolsets.join(',')}`]),
    ...(is_read_only ? ['read_only=true'] : []),
  ].join('&');
  return {
    address: `${session.public_url}/mcp${query === '' ? '' : `?${query}`}`,
    toolsets,
    is_read_only,
    choose: (next, reads) =>
      void change(
        { toolsets: next.length === 0 ? null : next.join(','), read_only: reads ? 'true' : null },
        { replace: true },
      ),
  };
}
