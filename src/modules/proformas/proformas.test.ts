/** What pro-forma invoices do besides what every family does. */
import { startApp } from '../../../test/harness.ts';
import { checkFamily } from '../../../test/support/family-checks.ts';
import { checkOffers } from '../../../test/support/offer-checks.ts';
import { proformas, proformasOperations } from './index.ts';

checkFamily({ family: proformas, start: startApp, numbering_move: 'mark-pending', edit_when_numbered: 200 });
checkOffers({
  operations: proformasOperations,
  scopes: {
    list_proformas: ['proformas:read'],
    create_proforma: ['proformas:write'],
    get_proforma: ['proformas:read'],
    get_proforma_pdf: ['pdfs:read', 'proformas:read'],
    get_proforma_pdf_link: ['pdfs:read', 'proformas:read'],
    revoke_proforma_public_link: ['proformas:write'],
    update_proforma: ['proformas:write'],
    delete_proforma: ['proformas:delete'],
    duplicate_proforma: ['proformas:write'],
    send_proforma: ['proformas:send'],
    mark_proforma_pending: ['proformas:transition'],
    accept_proforma: ['proformas:transition'],
    reject_proforma: ['proformas:transition'],
    cancel_proforma: ['proformas:transition'],
    convert_proforma: ['proformas:transition'],
  },
  family: proformas,
  said: { accept: 'accepted', convert: 'converted_to_invoice' },
  enters: { first: [], again: ['updated'] },
});
