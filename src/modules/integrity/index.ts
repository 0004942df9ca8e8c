/** Checks across modules. Owns no data. */
import type { Operation } from '../../kernel/operation.ts';
import { checkVerifactuIntegrity } from './operations/check-verifactu-integrity.ts';

export { EmptyPart, verifyCompany } from './verify-company.ts';

export const integrityOperations: readonly Operation[] = [checkVerifactuIntegrity];
