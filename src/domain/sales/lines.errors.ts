import { defineProblems } from '../../kernel/problem.ts';

export const lineErrors = defineProblems({
  amount_reconciliation_failed: {
    status: 422,
    type: 'invalid_request_error',
    message: 'Una retención o un recargo cambian el total de unos precios que incluyen impuestos.',
    help: 'Con prices_include_tax el total debe ser la suma enviada. Quite la retención o el recargo de la línea que indica error.line_index, o envíe precios sin impuestos.',
  },
});
