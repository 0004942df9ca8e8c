import { commonErrors as c } from '../../kernel/common.errors.ts';
import { defineProblems, fail, type Problem } from '../../kernel/problem.ts';
import { invalidField, missingField } from '../../kernel/resource-input.ts';

export const lineErrors = defineProblems({
  amount_reconciliation_failed: {
    status: 422,
    type: 'invalid_request_error',
    message: { es: 'Los importes no cuadran: {reason}', en: 'The amounts do not add up: {reason}' },
    help: {
      es: 'Con prices_include_tax el total debe ser la suma enviada: quite la retención o el recargo de la línea que indica error.line_index, o envíe precios sin impuestos. En una factura recibida, lo que dice error.param difiere de lo que suman sus líneas: corrija las líneas o el importe.',
      en: 'With prices_include_tax the total has to be the sum that was sent: take the retention or the surcharge from the line that error.line_index names, or send prices without tax. In a received invoice, what error.param says differs from the sum of its lines: correct the lines or the amount.',
    },
  },
});

/** @returns 422 parameter_invalid of one field of a line */
export function invalidInLine(line_index: number, field: string, message: string): Problem {
  const param = `lines.${line_index}.${field}`;
  return fail(c.parameter_invalid, { param, line_index, errors: [invalidField(param, message)] });
}

const missingTexts = {
  description: 'Indique qué es, o un producto (product_id).',
  unit_price: 'Indique el precio de la línea.',
  tax_rate:
    'Indique el tipo, o un impuesto (taxes_id). Si faltan se toma, desde la versión 2026-10-01, el tipo de default_vat de la empresa; aquí no se ha podido.',
};

/** @returns 422 missing_required_param of one field of a line */
export function missingInLine(line_index: number, field: keyof typeof missingTexts): Problem {
  const param = `lines.${line_index}.${field}`;
  const errors = [missingField(param, missingTexts[field])];
  return fail(c.missing_required_param, { param, line_index, errors });
}

/** @returns 422 business_rule_violation of one field of a line */
export function refusedInLine(line_index: number, field: string, reason: string): Problem {
  return fail(c.business_rule_violation, {
    param: `lines.${line_index}.${field}`,
    line_index,
    values: { reason },
  });
}
