/** Errors of invoices (specification, section 7). */
import { defineProblems } from '../../kernel/problem.ts';

const refused = { status: 422, type: 'invalid_request_error' } as const;

export const invoiceErrors = defineProblems({
  reversal_reason_reserved: {
    ...refused,
    message: 'El motivo issued_in_error está reservado a la anulación de la factura.',
    help: 'Use la operación annul con revert_collections, que revierte los cobros con ese motivo.',
  },
  operation_date_after_issue_date: {
    ...refused,
    message: 'La fecha de operación es posterior a la de expedición.',
    help: 'operation_on no puede ser posterior a issued_on, salvo que la primera línea con clave de régimen lleve la 14 o la 15.',
  },
});
