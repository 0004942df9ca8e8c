/**
 * The tools that a caller may call now, in their one order (tool-order.ts). The JSON of a tool is made once, and a list that
 * was asked for before is kept whole, with its gzip.
 */
import type { Caller, Operation } from '../../kernel/operation.ts';
import { isOpenTo } from '../../platform/check-call.ts';
import { makeGivingWay } from '../../platform/give-way.ts';
import { compressMiddle } from './gzip-around.ts';
import { toolOf } from './tool.ts';
import { toolOperations } from './tool-order.ts';
import { isInView, type ToolView } from './tool-view.ts';

/** Lists that are kept; each has a megabyte and more. Callers with the same scopes share one. */
const listsMax = 16;

export type ListText = {
  /** A JSON array. */
  bytes: Buffer;
  /** For `gzipAround`; made when somebody takes it first. */
  compressed: Promise<Buffer> | null;
};

export type ToolList = ReturnType<typeof makeToolList>;

export function makeToolList(catalog: readonly Operation[]) {
  // Made for the first that asks: to put them in order takes milliseconds of a start.
  let made: ReadonlyMap<string, Operation> | undefined;
  const byName = () => {
    made ??= new Map(toolOperations(catalog).map((operation) => [operation.name, operation]));
    return made;
  };
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
    [...byName().values()].filter((operation) => isInView(view, operation) && isOpenTo(caller, operation));

  return {
    /** Undefined for what is no tool, or none of the view. */
    find(name: string, view: ToolView): Operation | undefined {
      const operation = byName().get(name);
      return operation && isInView(view, operation) ? operation : undefined;
    },

    async text(caller: Caller, view: ToolView, has_profiles: boolean): Promise<ListText> {
      const open = openTo(caller, view);
      const key = `${has_profiles} ${open.map(({ name }) => name).join(' ')}`;
      const known = lists.get(key);
      if (known !== undefined) {
        // Those that nobody asks for go first.
        lists.delete(key);
        lists.set(key, known);
        return known;
      }
      const giveWay = makeGivingWay();
      const made: string[] = [];
      for (const operation of open) {
        made.push(textOf(operation, has_profiles));
        await giveWay();
      }
      const list: ListText = { bytes: Buffer.from(`[${made.join(',')}]`), compressed: null };
      if (lists.size >= listsMax) lists.delete(lists.keys().next().value!);
      lists.set(key, list);
      return list;
    },
  };
}

export function compressedOf(list: ListText): Promise<Buffer> {
  list.compressed ??= compressMiddle(list.bytes);
  return list.compressed;
}
