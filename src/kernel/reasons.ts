/** One set of checks for two uses: the call answers the first refusal, a dry run all of them. */
import { Problem } from './problem.ts';

export class Reasons {
  readonly problems: Problem[] = [];
  readonly #gathers: boolean;

  /** @param gathers true for a dry run */
  constructor(gathers = false) {
    this.#gathers = gathers;
  }

  /**
   * @returns undefined when the check's refusal was gathered
   * @throws the check's Problem, unless refusals are gathered
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
