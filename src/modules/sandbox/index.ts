/** Other modules own what runs on the sandbox clock. */
import type { Operation } from '../../kernel/operation.ts';
import { deleteSandboxData } from './operations/delete-sandbox-data.ts';
import { getSandboxClock } from './operations/get-sandbox-clock.ts';
import { updateSandboxClock } from './operations/update-sandbox-clock.ts';

export type * from './ports.ts';

export const sandboxOperations: readonly Operation[] = [
  getSandboxClock,
  updateSandboxClock,
  deleteSandboxData,
];
