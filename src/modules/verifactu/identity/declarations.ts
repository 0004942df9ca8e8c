/**
 * The declarations of conformity (Orden HAC/1177/2024, art. 15).
 * A new version adds its own at the end; earlier ones never change.
 * What the producer says of itself is configuration.
 */

export type DeclaredVersion = {
  version: string;
  system_name: string;
  system_code: string;
  /** Letter d: hardware and software, each with what it does. */
  components: readonly { name: string; description: string }[];
  /** Letter d, in short. */
  functions: string;
  is_verifactu_only: boolean;
  supports_many_taxpayers: boolean;
  /** Letter g: signatures of records and events that are not sent. */
  signature_types: readonly string[];
  signed_on: string;
};

export const declaredVersions: readonly DeclaredVersion[] = [
  {
    version: '0.1.0',
    system_name: 'Folio',
    system_code: 'FO',
    components: [
      {
        name: 'Servicio Folio',
        description:
          'Programa en Node.js 24 que ofrece la API de facturación, genera, encadena y firma los registros, y los remite a la Agencia Tributaria.',
      },
      {
        name: 'PostgreSQL 15 o posterior',
        description: 'Base de datos que conserva facturas, registros de facturación y de evento.',
      },
      {
        name: 'Equipo servidor',
        description:
          'Ordenador o máquina virtual con Linux y reloj sincronizado; no requiere otro dispositivo.',
      },
    ],
    functions:
      'Expedición de facturas y de sus rectificativas por API, con registro de alta y de anulación de cada una, remisión a la Agencia Tributaria o conservación con firma electrónica y registro de eventos, código QR, comprobación de la integridad y exportación.',
    is_verifactu_only: false,
    supports_many_taxpayers: true,
    signature_types: [
      'XAdES enveloped (clase EPES), RSA con SHA-256, de cada registro de facturación conservado',
      'XAdES enveloped (clase EPES), RSA con SHA-256, de cada registro de evento',
    ],
    signed_on: '2026-11-21',
  },
];
