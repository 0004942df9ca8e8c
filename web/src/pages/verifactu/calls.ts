import type { Certificate } from '../../../../src/modules/verifactu/identity/certificates.schema.ts';
import type { Declaration } from '../../../../src/modules/verifactu/identity/declarations.schema.ts';
import type { Representation } from '../../../../src/modules/verifactu/identity/representations.schema.ts';
import type { VerifactuRecord } from '../../../../src/modules/verifactu/records/records.schema.ts';
import type { VerifactuConfig } from '../../../../src/modules/verifactu/settings/config.ts';
import { call, type ListQuery, type One, type Page, type Wire } from '../../app/operation.ts';
import type { VerifactuStats } from '../../printed/resources.ts';

export type VfRecord = Wire<typeof VerifactuRecord>;
export type Config = Wire<typeof VerifactuConfig>;
/** Of an integrity check, what the page shows. Its schema imports modules that this type check does not have. */
export type Check = {
  is_intact: boolean;
  checked: { records: number };
  fault_count: number;
  faults: {
    kind: string;
    position: number | null;
    record_id: string | null;
    event_id: string | null;
    message: string;
  }[];
};
type OfRecord = { record: string };

export const listRecords = call<{ query: ListQuery & { invoice_id?: string }; answer: Page<VfRecord> }>(
  'list_verifactu_records',
);
export const getRecord = call<{ params: OfRecord; answer: One<VfRecord> }>('get_verifactu_record');
export const retryRecord = call<{ params: OfRecord; answer: One<VfRecord> }>('retry_verifactu_record');
export const retryBlocked = call<{ answer: One<{ reactivated: number }> }>('retry_blocked_verifactu_records');
export const subsanarRecord = call<{
  params: OfRecord;
  body: { description?: string };
  answer: One<{ new_record_id?: string; id: string }>;
}>('subsanar_verifactu_record');
export const getStats = call<{ answer: One<VerifactuStats> }>('get_verifactu_stats');
export const getConfig = call<{ answer: One<Config> }>('get_verifactu_config');
export const updateSettings = call<{
  body: { enabled: boolean; remission_mode?: 'verifactu' | 'no_verifactu'; effective_on?: string };
  answer: One<Config>;
}>('update_verifactu_settings');
export const putCertificate = call<{
  body: { pkcs12_base64: string; password: string };
  answer: One<Wire<typeof Certificate>>;
}>('put_verifactu_certificate');
export const deleteCertificate = call<{ answer: unknown }>('delete_verifactu_certificate');
export const registerRepresentation = call<{
  body: { valid_until: string; reference: string | null };
  answer: One<Wire<typeof Representation>>;
}>('register_company_representation');
export const revokeRepresentation = call<{ body: { reason: string }; answer: unknown }>(
  'revoke_company_representation',
);
export const getDeclaration = call<{ answer: One<Wire<typeof Declaration>> }>('get_declaracion_responsable');
export const checkIntegrity = call<{ body: object; answer: One<Check> }>('check_verifactu_integrity');
