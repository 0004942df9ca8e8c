/**
 * The tools that a caller may call now, in the order of the catalogue. The JSON of a tool is made once, and a list that
 * was asked for before is kept whole, with its gzip.
 */
import type { Caller, Operation } from '../../kernel/operation.ts';
import { isOpenTo } from '../../platform/check-call.ts';
import { compressMiddle } from './gzip-around.ts';
import { type Tool, toolOf } from './tool.ts';
import { isInView, type ToolView } from './tool-view.ts';

/** Lists that are kept; each some hundreds of kilobytes. Callers with the same scopes share one. */
const listsMax = 32;

export type ListText = {
  /** A JSON array. */
  text: string;
  /** For `gzipAround`; made when somebody takes it first. */
  compressed: Promise<Buffer> | null;
};

export type ToolList = ReturnType<typeof makeToolList>;

export function makeToolList(catalog: readonly Operation[]) {
  const operations = catalog.filter((operation) => operation.mcp);
  const byName = new Map(operations.map((operation) => [operation.name, operation]));
  const texts = new Map<string, string>();
  const lists = new Map<string, ListText>();

  function textOf(operation: Operation, has_profiles: boolean): string {
    const key = `${operation.name} ${has_profiles}`;
    const known = texts.get(key);
    if (known !== undefined) return known;
    const text = JSON.stringify(toolOf(operation, has_profiles));
    texts.set(key, text);
    return text;
  }

  const openTo = (caller: Caller, view: ToolView) =>
    operations.filter((operation) => isInView(view, operation) && isOpenTo(caller, operation));

  return {
    /** Undefined for what is no tool, or none of the view. */
    find(name: string, view: ToolView): Operation | undefined {
      const operation = byName.get(name);
      return operation && isInView(view, operation) ? operation : undefined;
    },

    tools(caller: Caller, view: ToolView, has_profiles: boolean): Tool[] {
      return openTo(caller, view).map((operation) => toolOf(operation, has_profiles));
    },

    /** The same as JSON. */
    text(caller: Caller, view: ToolView, has_profiles: boolean): ListText {
      const open = openTo(caller, view);
      const key = `${has_profiles} ${open.map(({ name }) => name).join(' ')}`;
      const known = lists.get(key);
      if (known !== undefined) return known;
      const text = `[${open.map((operation) => textOf(operation, has_profiles)).join(',')}]`;
      const made: ListText = { text, compressed: null };
      if (lists.size >= listsMax) lists.delete(lists.keys().next().value!);
      lists.set(key, made);
      return made;
    },
  };
}

export function compressedOf(list: ListText): Promise<Buffer> {
  list.compressed ??= compressMiddle(list.text);
  return list.compressed;
}
