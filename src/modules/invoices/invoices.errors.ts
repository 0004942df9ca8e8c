/** Errors of invoices (specification, section 7). */
import { defineProblems } from '../../kernel/problem.ts';

const refused = { status: 422, type: 'invalid_request_error' } as const;

export const invoiceErrors = defineProblems({
  operation_date_after_issue_date: {
    ...refused,
    message: 'La fecha de operación es posterior a la de expedición.',
    help: 'operation_on no puede ser posterior a issued_on, salvo que la primera línea con clave de régimen lleve la 14 o la 15.',
  },
});
