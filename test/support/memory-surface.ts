/**
 * A second surface, for tests: it calls operations by name with plain values and gives plain values back. What works
 * over it needs nothing of REST; MCP will be another such surface.
 */
import assert from 'node:assert/strict';
import type { Caller, Operation } from '../../src/kernel/operation.ts';
import { planModules } from '../../src/kernel/plans.ts';
import { Problem } from '../../src/kernel/problem.ts';
import { newId } from '../../src/kernel/uuid7.ts';
import { latestVersion } from '../../src/kernel/versions.ts';
import type { App, TestCompany } from '../harness.ts';

export type MemoryAnswer =
  | { ok: true; status: number; body: unknown; is_replay: boolean }
  | { ok: false; code: string; status: number; param: string | null };

export type MemoryCall = {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  idempotency_key?: string;
};

/** A caller with every scope in the company, live or its sandbox. */
export async function callerOf(
  app: App,
  company: TestCompany,
  environment: 'live' | 'test' = 'live',
): Promise<Caller> {
  const [key] = await app.sql<{ id: string; name: string; opens_company_id: string }[]>`
    select id, name, opens_company_id from api_keys
     where company_id = ${company.company_id} and environment = ${environment} order by id limit 1`;
  assert.ok(key);
  return {
    principal: { kind: 'api_key', id: key.id, name: key.name },
    key_company_id: company.company_id,
    owner_company_id: company.company_id,
    company_id: key.opens_company_id,
    environment,
    scopes: ['*'],
    modules: planModules('scale'),
    tier: 'scale',
    api_version: null,
    ip: '127.0.0.1',
    previous_secret: null,
  };
}

export function memorySurface(app: App, operations: readonly Operation[]) {
  const byName = new Map(operations.map((operation) => [operation.name, operation]));
  return {
    async call(caller: Caller, name: string, call: MemoryCall = {}): Promise<MemoryAnswer> {
      const operation = byName.get(name);
      assert.ok(operation, `the catalogue has no ${name}`);
      try {
        const answer = await app.service.engine.run({
          operation,
          caller,
          input: { params: { ...call.params }, query: { ...call.query }, body: structuredClone(call.body) },
          idempotency_key: call.idempotency_key ?? null,
          version: latestVersion,
          request_id: `mem_${newId()}`,
        });
        return { ok: true, status: answer.status, body: answer.body, is_replay: answer.is_replay };
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        return {
          ok: false,
          code: error.def.code,
          status: error.def.status,
          param: error.details.param ?? null,
        };
      }
    },
  };
}
