/** Checks of integrity across invoices, numbering, billing records and events. Owns no data. */
import type { Operation } from '../../kernel/operation.ts';
import { checkIntegrity } from './operations/check-integrity.ts';

export { verifyCompany } from './verify-company.ts';

export const integrityOperations: readonly Operation[] = [checkIntegrity];
