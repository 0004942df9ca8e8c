import { ApiError } from '../app/api.ts';
import type { Issue } from './field-issues.ts';

/** What a refusal says of each value that was sent. */
export function issuesOf(error: Error | null): readonly Issue[] {
  const problem = error instanceof ApiError ? error.problem : null;
  if (!problem) return [];
  const { param, message } = problem;
  return problem.errors ?? (param === null ? [] : [{ param, message }]);
}

/** By param. */
export const faultsOf = (error: Error | null): Readonly<Record<string, string>> =>
  Object.fromEntries(issuesOf(error).map(({ param, message }) => [param, message]));
