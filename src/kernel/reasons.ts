/** One set of checks for two uses: the real call answers the first refusal, the dry run all of them. */
import { Problem } from './problem.ts';

export class Reasons {
  readonly problems: Problem[] = [];
  readonly #gathers: boolean;

  /** @param gathers true for a dry run; false throws every refusal at once */
  constructor(gathers = false) {
    this.#gathers = gathers;
  }

  /**
   * What the check answers; undefined when its refusal was gathered.
   * @throws Problem of the check, unless refusals are gathered
   */
  attempt<T>(check: () => T): T | undefined {
    if (!this.#gathers) return check();
    try {
      return check();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.problems.push(error);
      return undefined;
    }
  }

  refuse(problem: Problem): void {
    this.attempt(() => {
      throw problem;
    });
  }
}
