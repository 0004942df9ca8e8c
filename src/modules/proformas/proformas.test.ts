/** What pro-forma invoices do besides what every family does. */
import { startApp } from '../../../test/harness.ts';
import { checkFamily } from '../../../test/support/family-checks.ts';
import { checkOffers } from '../../../test/support/offer-checks.ts';
import { proformas } from './index.ts';

checkFamily({ family: proformas, start: startApp, numbering_move: 'mark-pending', edit_when_numbered: 200 });
checkOffers({
  family: proformas,
  said: { accept: 'accepted', convert: 'converted_to_invoice' },
  enters: { first: [], again: ['updated'] },
});
