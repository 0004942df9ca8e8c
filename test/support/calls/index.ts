import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import type { Operation } from '../../../src/kernel/operation.ts';
import type { Calls, Seed, ValidCall } from './seed.ts';

const others = ['index.ts', 'seed.ts'];

/** Each file of this folder holds the calls of one module. */
async function readCalls(): Promise<Calls> {
  const files = readdirSync(new URL('.', import.meta.url)).filter((file) => !others.includes(file));
  const modules = await Promise.all(files.sort().map((file) => import(`./${file}`) as Promise<object>));
  return Object.assign({}, ...modules.flatMap((calls) => Object.values(calls)));
}

const validCalls = await readCalls();

/** @throws AssertionError for an operation without a call */
export function validCallOf(operation: Operation, seed: Seed): ValidCall {
  const call = validCalls[operation.name];
  assert.ok(call, `${operation.name} has no valid call in test/support/calls`);
  return call(seed);
}
