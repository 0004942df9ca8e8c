/** Checks of integrity across invoices, numbering, billing records and events. Owns no data. */
import type { Operation } from '../../kernel/operation.ts';
import { checkVerifactuIntegrity } from './operations/check-verifactu-integrity.ts';

export { verifyCompany } from './verify-company.ts';

export const integrityOperations: readonly Operation[] = [checkVerifactuIntegrity];
