/** State machines as tables. A cell holds the next state, or the error that refuses the move. */
import { fail, type ProblemDef } from './problem.ts';

export type StateTable<S extends string, M extends string> = Record<S, Record<M, S | ProblemDef>>;

/** `next` throws a refusal; `peek` answers it, for dry runs. */
export function defineStates<S extends string, M extends string>(table: StateTable<S, M>) {
  return {
    table,
    peek(from: S, move: M): S | ProblemDef {
      return table[from][move];
    },
    next(from: S, move: M, details: { param?: string; line_index?: number } = {}): S {
      const cell = table[from][move];
      if (typeof cell === 'string') return cell as S;
      throw fail(cell, details);
    },
  };
}
