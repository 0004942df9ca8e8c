import { commonErrors as c } from '../kernel/common.errors.ts';
import { outputSchema } from '../kernel/operation.ts';
import { withoutUnseen } from '../kernel/output-scopes.ts';
import { declaredProblems, fail, Problem } from '../kernel/problem.ts';
import { scopesAllow } from '../kernel/scopes.ts';
import type { Answer, Call } from './call.ts';
import type { StoredAnswer } from './idempotency.ts';

export function storedFrom({ status, body }: Pick<Answer, 'status' | 'body'>): StoredAnswer {
  return { kind: 'answer', status, headers: {}, body };
}

export function storedRefusal({ def, details }: Problem): StoredAnswer {
  return { kind: 'problem', code: def.code, details };
}

const neverStored = new Set<string>([
  c.resource_locked.code,
  c.idempotency_key_reused.code,
  c.insufficient_scope.code,
  c.invalid_api_key.code,
  c.missing_api_key.code,
  c.parameter_invalid_format.code,
  c.precondition_failed.code,
]);

/** Of a caller who lost what admitted them (ADR 102). It says nothing of what was sent: they may have it again, and send that again. */
export class LostCaller extends Problem {}

/** Refusals of the domain are stored; those of schema, caller, scope, rate, share or lock are not. */
export function isRepeated(problem: Problem): boolean {
  if (problem instanceof LostCaller) return false;
  return problem.def.status < 500 && problem.def.status !== 429 && !neverStored.has(problem.def.code);
}

export function answerOf(stored: StoredAnswer): Answer | Problem {
  if (stored.kind === 'answer') {
    const { status, body, version } = stored;
    return {
      status,
      body,
      is_repeat: false,
      is_replay: true,
      is_held: false,
      ...(version ? { version } : {}),
    };
  }
  const def = declaredProblems().find(({ code }) => code === stored.code) ?? c.internal_error;
  const { version } = stored;
  return fail(def, { ...stored.details, is_replay: true, ...(version ? { version } : {}) });
}

/** @throws Problem the stored refusal */
export function answerOfOrThrow(stored: StoredAnswer): Answer {
  const outcome = answerOf(stored);
  if (outcome instanceof Problem) throw outcome;
  return outcome;
}

/** A stored answer is what its first caller may see. Another key of the company may see less. */
export function shownTo({ operation, caller }: Call, answer: Answer): Answer {
  if (!answer.is_replay) return answer;
  const has = (scope: string) => scopesAllow(caller.scopes, scope, caller);
  return { ...answer, body: withoutUnseen(outputSchema(operation, answer.status), answer.body, has) };
}
