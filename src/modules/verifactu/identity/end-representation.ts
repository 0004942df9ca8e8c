import type { RepresentationsPort } from '../../companies/index.ts';
import { findRepresentation, revokeRepresentation } from './representations.store.ts';

/** The company's row is locked first. Undefined where there is none, or it was revoked before. */
export const endRepresentation: RepresentationsPort['end'] = async (tx, company_id, reason, now) => {
  const row = await findRepresentation(tx, company_id);
  if (!row || row.revoked_at !== null) return undefined;
  const { id } = row;
  await revokeRepresentation(tx, company_id, id, reason, now);
  return {
    action: 'verifactu_representation.revoked',
    object: 'verifactu_representation',
    object_id: id,
    details: { reason },
  };
};
