/** The cases of every family, for invoices. */
import { startApp } from '../../../test/harness.ts';
import { checkFamily } from '../../../test/support/family-checks.ts';
import { invoices } from './invoices.family.ts';

checkFamily({ family: invoices, start: startApp, numbering_move: 'issue', edit_when_numbered: 409 });
