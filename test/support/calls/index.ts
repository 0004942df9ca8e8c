/** A valid call of every operation, by module, for the tests over the whole catalogue. */
import assert from 'node:assert/strict';
import type { Operation } from '../../../src/kernel/operation.ts';
import { apiKeysCalls } from './api-keys.ts';
import { auditCalls } from './audit.ts';
import { companiesCalls } from './companies.ts';
import { contactsCalls } from './contacts.ts';
import { emailsCalls } from './emails.ts';
import { eventsCalls } from './events.ts';
import { integrityCalls } from './integrity.ts';
import { invoicesCalls } from './invoices.ts';
import { productsCalls } from './products.ts';
import { sandboxCalls } from './sandbox.ts';
import { seriesCalls } from './series.ts';
import { taxesCalls } from './taxes.ts';
import { verifactuCalls } from './verifactu.ts';
import { webhooksCalls } from './webhooks.ts';
import type { Calls, Seed, ValidCall } from './seed.ts';

const validCalls: Calls = {
  ...apiKeysCalls,
  ...auditCalls,
  ...companiesCalls,
  ...contactsCalls,
  ...emailsCalls,
  ...eventsCalls,
  ...integrityCalls,
  ...invoicesCalls,
  ...productsCalls,
  ...sandboxCalls,
  ...seriesCalls,
  ...taxesCalls,
  ...verifactuCalls,
  ...webhooksCalls,
};

/** @throws AssertionError that names the operation without a call */
export function validCallOf(operation: Operation, seed: Seed): ValidCall {
  const call = validCalls[operation.name];
  assert.ok(call, `${operation.name} has no valid call in test/support/calls`);
  return call(seed);
}
