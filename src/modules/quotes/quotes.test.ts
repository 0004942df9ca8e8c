/** What quotes do besides what every family does. */
import { startApp } from '../../../test/harness.ts';
import { checkFamily } from '../../../test/support/family-checks.ts';
import { checkOffers } from '../../../test/support/offer-checks.ts';
import { quotes } from './index.ts';

checkFamily({ family: quotes, start: startApp, numbering_move: 'mark-pending', edit_when_numbered: 200 });
checkOffers({
  family: quotes,
  said: { accept: 'approved', convert: 'converted' },
  enters: { first: ['marked_as_pending'], again: ['marked_as_pending'] },
});
