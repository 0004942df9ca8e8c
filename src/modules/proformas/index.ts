/**
 * Pro-forma invoices: what an invoice would say. They take no payment: money received before the supply is invoiced (LIVA, art.
 * 75.Dos).
 */
import type { Operation } from '../../kernel/operation.ts';
import { expiryOf } from '../offers/index.ts';
import { proformas } from './proformas.family.ts';
import {
  acceptProforma,
  cancelProforma,
  convertProforma,
  createProforma,
  deleteProforma,
  duplicateProforma,
  getProforma,
  getProformaPdf,
  getProformaPdfLink,
  listProformas,
  markProformaPending,
  rejectProforma,
  revokeProformaPublicLink,
  sendProforma,
  updateProforma,
} from './proformas.operations.ts';

export { proformaTarget } from './converting.ts';
export { proformas } from './proformas.family.ts';

export const expireProformas = expiryOf(proformas);

export const proformasOperations: readonly Operation[] = [
  listProformas,
  createProforma,
  getProforma,
  getProformaPdf,
  getProformaPdfLink,
  revokeProformaPublicLink,
  updateProforma,
  deleteProforma,
  duplicateProforma,
  sendProforma,
  markProformaPending,
  acceptProforma,
  rejectProforma,
  cancelProforma,
  convertProforma,
];
