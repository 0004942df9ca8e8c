/** Only passes calls to the engine. What holds through it holds behind every surface. */
import assert from 'node:assert/strict';
import type { Audience, Operation } from '../../src/kernel/operation.ts';
import { Problem, problemBody, type ProblemBody } from '../../src/kernel/problem.ts';
import { newId } from '../../src/kernel/uuid7.ts';
import type { App } from '../harness.ts';

export type MemoryAnswer =
  | { ok: true; status: number; body: unknown; is_replay: boolean; is_repeat: boolean }
  | { ok: false; code: string; status: number; param: string | null; error: ProblemBody };

export type MemoryCall = {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  idempotency_key?: string;
  active_profile?: string;
  version?: string;
  request_id?: string;
  /** What a token must be made for. */
  audience?: Audience;
};

export const memoryAddress = '192.0.2.77';

export function memorySurface(app: App, operations: readonly Operation[]) {
  const byName = new Map(operations.map((operation) => [operation.name, operation]));
  return {
    async call(secret: string | null, name: string, call: MemoryCall = {}): Promise<MemoryAnswer> {
      const operation = byName.get(name);
      assert.ok(operation, `the catalogue has no ${name}`);
      const request_id = call.request_id ?? `mem_${newId()}`;
      try {
        const { status, body, is_replay, is_repeat } = await app.service.engine.serve({
          operation,
          request_id,
          ip: memoryAddress,
          secret,
          audience: call.audience ?? 'v1',
          active_profile: call.active_profile ?? null,
          version: call.version ?? null,
          idempotency_key: call.idempotency_key ?? null,
          input: { params: { ...call.params }, query: { ...call.query }, body: structuredClone(call.body) },
        });
        return { ok: true, status, body, is_replay, is_repeat };
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        const told = problemBody(error, { request_id, docs_url: app.url });
        return { ok: false, code: told.code, status: error.def.status, param: told.param, error: told };
      }
    },
  };
}
