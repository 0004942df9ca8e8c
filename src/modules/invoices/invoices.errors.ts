/** Errors of invoices and their billing records. */
import { defineProblems } from '../../kernel/problem.ts';
import { verifactuErrors } from '../verifactu/index.ts';

const refused = { status: 422, type: 'invalid_request_error' } as const;

const own = defineProblems({
  simplified_invoices_disabled: {
    ...refused,
    message: 'La empresa no hace facturas simplificadas.',
    help: 'El ajuste simplified_invoices_enabled de la empresa es false. Pida una factura completa (F1) con su cliente, o cambie el ajuste.',
  },
  reversal_reason_reserved: {
    ...refused,
    message: 'El motivo issued_in_error está reservado a la anulación de la factura.',
    help: 'Use la operación annul con revert_collections, que revierte los cobros con ese motivo.',
  },
});

const { operation_date_after_issue_date, verifactu_not_eligible } = verifactuErrors;
export const invoiceErrors = { ...own, operation_date_after_issue_date, verifactu_not_eligible };
