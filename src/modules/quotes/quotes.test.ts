/** What quotes do besides what every family does. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { checkFamily } from '../../../test/support/family-checks.ts';
import { startApp } from '../../../test/harness.ts';
import { quotes } from './index.ts';

checkFamily({ family: quotes, start: startApp, numbering_move: 'mark-pending', edit_when_numbered: 200 });
