/**
 * Checks that throw in the real call and are gathered in a dry run, so that one set of checks serves both:
 * the real call answers the first refusal, the dry run all of them (decisions, section 3).
 */
import { Problem } from './problem.ts';

export class Reasons {
  readonly problems: Problem[] = [];
  readonly #gathers: boolean;

  /** @param gathers true for a dry run; false lets every refusal through at once */
  constructor(gathers = false) {
    this.#gathers = gathers;
  }

  /**
   * What the check answers, or undefined when it refused and refusals are gathered.
   * @throws Problem of the check, when they are not
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

  /** Refuses: at once, or at the end. */
  refuse(problem: Problem): void {
    this.attempt(() => {
      throw problem;
    });
  }
}
