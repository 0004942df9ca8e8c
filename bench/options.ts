/** What a run of the bench is asked for, as its parts see it. */

export type BenchOptions = {
  rounds: number;
  /** Part of the usual number of requests. */
  scale: number;
  is_quick: boolean;
  profile_dir?: string;
  say(line: string): void;
};
