/** Errors of invoices and their billing records. */
import { defineProblems } from '../../kernel/problem.ts';
import { verifactuErrors } from '../verifactu/index.ts';

const refused = { status: 422, type: 'invalid_request_error' } as const;

const own = defineProblems({
  simplified_invoices_disabled: {
    ...refused,
    message: {
      es: 'La empresa no hace facturas simplificadas.',
      en: 'The company makes no simplified invoices.',
    },
    help: {
      es: 'El ajuste simplified_invoices_enabled de la empresa es false. Pida una factura completa (F1) con su cliente, o cambie el ajuste.',
      en: 'The setting simplified_invoices_enabled of the company is false. Ask for a full invoice (F1) with its client, or change the setting.',
    },
  },
  reversal_reason_reserved: {
    ...refused,
    message: {
      es: 'El motivo issued_in_error está reservado a la anulación de la factura.',
      en: 'The reason issued_in_error is kept for annulling the invoice.',
    },
    help: {
      es: 'Use la operación annul con revert_collections, que revierte los cobros con ese motivo.',
      en: 'Use the operation annul with revert_collections, which reverses the payments with that reason.',
    },
  },
});

const { operation_date_after_issue_date, verifactu_not_eligible } = verifactuErrors;
export const invoiceErrors = { ...own, operation_date_after_issue_date, verifactu_not_eligible };
