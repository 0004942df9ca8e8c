/** State machines as tables. A cell holds the next state, or the error that refuses the move. */
import { fail, type Problem, type ProblemDef } from './problem.ts';

export type StateTable<S extends string, M extends string> = Record<S, Record<M, S | ProblemDef>>;

type Details = { param?: string; line_index?: number };

/**
 * `next` throws a refusal; `peek` answers it, for dry runs; `refusal` makes what `next` throws.
 * @param told how each state reads after "está", where callers see no status of its name
 */
export function defineStates<S extends string, M extends string>(
  table: StateTable<S, M>,
  told?: Readonly<Record<S, string>>,
) {
  const tell = (state: S) => told?.[state] ?? `en «${state}»`;
  const states = Object.keys(table) as S[];

  function refusal(from: S, move: M, def: ProblemDef, details: Details = {}): Problem {
    const open = states.filter((state) => typeof table[state][move] === 'string').map(tell);
    const reason = `está ${tell(from)}, y hace falta que esté ${inWords(open)}.`;
    return fail(def, { ...details, values: { reason } });
  }

  return {
    table,
    refusal,
    peek(from: S, move: M): S | ProblemDef {
      return table[from][move];
    },
    next(from: S, move: M, details?: Details): S {
      const cell = table[from][move];
      if (typeof cell === 'string') return cell as S;
      throw refusal(from, move, cell, details);
    },
  };
}

function inWords(all: readonly string[]): string {
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} o ${all.at(-1)}`;
}
