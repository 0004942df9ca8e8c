/** The sandbox that can be driven (decisions, section 7): its clock. What runs on it is the other modules' own. */
import type { Operation } from '../../kernel/operation.ts';
import { getSandboxClock } from './operations/get-sandbox-clock.ts';
import { updateSandboxClock } from './operations/update-sandbox-clock.ts';

export const sandboxOperations: readonly Operation[] = [getSandboxClock, updateSandboxClock];
