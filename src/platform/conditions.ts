/**
 * A call with `expected_tags` (RFC 9110, 13.1.1; ADR 33): one on a resource is refused when the resource is no longer what the
 * caller read. The tag is that of the resource's GET for this caller and version, read within the call's transaction.
 */
import { createHash, hash } from 'node:crypto';
import { commonErrors as c } from '../kernel/common.errors.ts';
import { hasManyRows, jsonBytesInSteps, jsonText, rememberBytes, rememberJson } from '../kernel/json.ts';
import { isResource, jsonMedia, type Operation, type Tx } from '../kernel/operation.ts';
import { fail, Problem } from '../kernel/problem.ts';
import { type Answer, type Call, companyOf, type ExpectedTags, type RunParts } from './call.ts';
import { makeCtx, newGathered, toAnswer } from './call-context.ts';
import { checkScope } from './check-call.ts';
import type { LoadedCompany } from './company-context.ts';
import { inTurns, makeGivingWay } from './give-way.ts';

/**
 * Of a representation: the version shapes it, and what the caller may see is in the text. What was written for it is remembered.
 * A long text is written and hashed in turns.
 */
async function tagOf(version: string, body: unknown): Promise<string> {
  const is_known = body !== null && typeof body === 'object';
  if (!is_known || !hasManyRows(body)) {
    const text = jsonText(body);
    if (is_known) rememberJson(body, text);
    return quoted(hash('sha256', `${version} ${text}`, 'base64url'));
  }
  const giveWay = makeGivingWay();
  const parts = await inTurns(jsonBytesInSteps(body), giveWay);
  rememberBytes(body, parts);
  const digest = createHash('sha256').update(`${version} `);
  for (const part of parts) {
    digest.update(part);
    await giveWay();
  }
  return quoted(digest.digest('base64url'));
}

const quoted = (digest: string) => `"${digest.slice(0, 27)}"`;

/** By the strong comparison. @param tag undefined: nothing is there */
function isExpected(expected: ExpectedTags, tag: string | undefined): boolean {
  return tag !== undefined && (expected === 'any' || expected.includes(tag));
}

/** Gives the answer of a resource its tag. @throws 412 precondition_failed */
export async function tagged(call: Call, answer: Answer): Promise<Answer> {
  const { operation, version, expected_tags } = call;
  if (operation.output_media_type !== jsonMedia || !isResource(operation)) return answer;
  const tag = await tagOf(version, answer.body);
  if (expected_tags && !isExpected(expected_tags, tag))
    throw fail(c.precondition_failed, { member: 'expected_tags' });
  return { ...answer, tag };
}

/**
 * Without `expected_tags` nothing is read. Under a lock the row stays what was compared until the commit.
 * @throws 412 precondition_failed, 403 for a caller that may not read the resource
 */
export async function checkCondition(
  parts: RunParts,
  tx: Tx,
  call: Call,
  loaded: LoadedCompany,
  locks: boolean,
): Promise<void> {
  const { expected_tags, resource, operation } = call;
  if (!expected_tags || isResource(operation)) return;
  const refusal = fail(c.precondition_failed, { member: 'expected_tags' });
  if (!resource || companyOf({ ...call, operation: resource }) !== companyOf(call)) throw refusal;
  const input = { params: paramsOf(resource, call.input.params), query: {}, body: undefined };
  checkScope(call.caller, resource, input);
  if (locks) await lockRow(tx, companyOf(call), resource, input.params);
  const tag = await readTag(parts, tx, { ...call, operation: resource, input }, loaded);
  // For a missing resource the operation itself answers 404. An operation that makes the resource has no id in its
  // path.
  if (tag === undefined && Object.keys(input.params).length > 0) return;
  if (!isExpected(expected_tags, tag)) throw refusal;
}

function paramsOf({ params }: Operation, given: unknown): Record<string, string> {
  const all = given as Record<string, string>;
  return Object.fromEntries(Object.keys(params?.properties ?? {}).map((name) => [name, all[name]!]));
}

/** `for update` would wait for every row that refers to it, such as the claim of a key of another call. */
async function lockRow(
  tx: Tx,
  company_id: string,
  { row, company_row }: Operation,
  params: Record<string, string>,
): Promise<void> {
  if (company_row !== null)
    await tx`select 1 from ${tx(company_row)} where company_id = ${company_id} for no key update`;
  else if (row !== null)
    await tx`
      select 1 from ${tx(row)}
       where company_id = ${company_id} and id = ${Object.values(params).at(-1)!} for no key update`;
}

/** Undefined when there is no such resource. */
async function readTag(
  parts: RunParts,
  tx: Tx,
  call: Call,
  loaded: LoadedCompany,
): Promise<string | undefined> {
  const { operation, input } = call;
  try {
    const prefetched = await operation.prefetch?.(tx, companyOf(call), input, Promise.resolve(loaded));
    const ctx = makeCtx(parts, tx, call, loaded, newGathered(call));
    const { body } = toAnswer(operation, await operation.handle(ctx, input, prefetched));
    return await tagOf(call.version, body);
  } catch (error) {
    if (error instanceof Problem && error.def.status === 404) return undefined;
    throw error;
  }
}
