import { filePassword } from '../company-certificates.ts';
import { type Calls, inDays } from './seed.ts';

export const verifactuCalls: Calls = {
  get_verifactu_config: () => ({}),
  update_verifactu_settings: () => ({
    body: { enabled: true, remission_mode: 'verifactu', effective_on: null },
  }),
  get_verifactu_stats: () => ({}),
  get_verifactu_certificate: () => ({}),
  put_verifactu_certificate: (seed) => ({
    body: { pkcs12_base64: seed.certificate_file, password: filePassword },
  }),
  delete_verifactu_certificate: () => ({}),
  get_company_representation: () => ({}),
  register_company_representation: () => ({
    body: {
      valid_until: inDays(200),
      representative: { name: 'Ana Prueba', tax_id: '00000000T' },
      reference: 'REP-7',
    },
  }),
  revoke_company_representation: () => ({ body: { reason: 'Ya no hace falta' } }),
  list_verifactu_records: () => ({ query: { status: 'accepted' } }),
  get_verifactu_record: () => ({}),
  get_verifactu_record_xml: () => ({}),
  find_verifactu_record_by_csv: (seed) => ({ body: { csv: seed.csv } }),
  find_verifactu_record_by_huella: (seed) => ({ body: { huella: seed.huella } }),
  find_verifactu_record_by_invoice_number: (seed) => ({ body: { number: seed.number } }),
  retry_verifactu_record: (seed) => ({ params: { record: seed.waiting_record } }),
  retry_blocked_verifactu_records: () => ({ body: {} }),
  subsanar_verifactu_record: () => ({
    body: {
      description: 'Corregida',
      recipient: { name: 'Librería Norte SL', tax_id: 'A58818501', foreign_id: null },
      operation_on: null,
    },
  }),
  list_verifactu_events: () => ({ query: { type: '10', status: 'logged' } }),
  get_verifactu_event: (seed) => ({ params: { event: seed.verifactu_event } }),
  get_verifactu_event_xml: (seed) => ({ params: { event: seed.verifactu_event } }),
  retry_verifactu_event: (seed) => ({ params: { event: seed.verifactu_event } }),
  get_declaracion_responsable: () => ({}),
  list_declaraciones_responsables: () => ({}),
};
