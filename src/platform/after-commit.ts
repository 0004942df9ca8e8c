/** Work after the commit, without a connection. Its answer replaces the stored one. */
import type { AfterCommit, IdempotencyClaim } from '../kernel/operation.ts';
import { type Answer, type Call, companyOf, type RunParts } from './call.ts';
import { toAnswer } from './call-context.ts';
import { readyAnswers, storeAnswer } from './idempotency.ts';
import { storedFrom } from './stored-answers.ts';

const answerWaitMs = 15_000;

export async function runAfterCommit(
  parts: RunParts,
  call: Call,
  claim: IdempotencyClaim | null,
  answer: Answer,
): Promise<Answer> {
  const { operation } = call;
  if (operation.transaction === 'read' && call.holds?.(answer))
    return { ...answer, body: null, is_held: true };
  if (operation.after_commit === null || answer.is_replay) return answer;
  const { status, body, is_repeat, file, tag } = answer;
  const made = { status, body, is_repeat, file, tag };
  const handled = await operation.after_commit(contextOf(parts, call), made);
  if (handled === undefined) return answer;
  const finished = toAnswer(operation, handled);
  if (claim) {
    const company_id = companyOf(call);
    await parts.db.transaction(company_id, async (tx) => {
      const [ready] = await readyAnswers(tx, [storedFrom(finished)]);
      await storeAnswer(tx, company_id, claim.key, ready!, parts.secrets, operation.holds_secret);
    });
  }
  return finished;
}

function contextOf(parts: RunParts, call: Call): AfterCommit {
  const { db, clock, services, ports, log, answer_wait_ms } = parts;
  return {
    caller: call.caller,
    services,
    ports,
    log,
    wait_ms: answer_wait_ms ?? answerWaitMs,
    realNow: () => clock.now(),
    read: (work) => db.read(companyOf(call), work),
  };
}
