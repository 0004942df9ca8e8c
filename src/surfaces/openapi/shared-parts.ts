/** Writes parameters and refusals that several operations share once. The most used part gets the plain name. */
import type { JsonSchema } from '../shared/wire-schema.ts';

type Part = { value: JsonSchema; wanted: readonly string[]; uses: number };

/** `path` is the parts' place, such as `#/components/parameters`. */
export class Shelf {
  readonly #path: string;
  readonly #parts = new Map<string, Part>();

  constructor(path: string) {
    this.#path = path;
  }

  /** Counts a part. @param wanted names, the best first */
  note(value: JsonSchema, wanted: readonly string[]): void {
    const text = JSON.stringify(value);
    const part = this.#parts.get(text) ?? { value, wanted, uses: 0 };
    part.uses += 1;
    this.#parts.set(text, part);
  }

  /** @returns the shared parts by name, and what puts a reference in their place */
  close(): { components: Record<string, JsonSchema>; refer(value: JsonSchema): JsonSchema } {
    const names = new Map<string, string>();
    const components = new Map<string, JsonSchema>();
    const shared = [...this.#parts].filter(([, { uses }]) => uses > 1);
    // Sorting is stable: of two equally used parts the first gets the better name.
    for (const [text, { value, wanted }] of shared.toSorted(([, a], [, b]) => b.uses - a.uses)) {
      const last = wanted.at(-1) ?? 'Part';
      let name = wanted.find((candidate) => !components.has(candidate)) ?? last;
      for (let n = 2; components.has(name); n++) name = `${last}${n}`;
      names.set(text, name);
      components.set(name, value);
    }
    return {
      components: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
      refer: (value) => {
        const name = names.get(JSON.stringify(value));
        return name === undefined ? value : { $ref: `${this.#path}/${name}` };
      },
    };
  }
}
