/** The declaration of conformity, in the order of Orden HAC/1177/2024, art. 15.1. */
import type { DeclaredVersion } from '../declarations.ts';
import type { Party } from '../../record.ts';

export const declarationTitle = 'DECLARACIÓN RESPONSABLE DEL SISTEMA INFORMÁTICO DE FACTURACIÓN';

export type Declarant = { producer: Party; address: string; place: string };

const statementOf = ({ system_name, version }: DeclaredVersion) =>
  `El productor declara que el sistema informático ${system_name}, en su versión ${version}, cumple lo dispuesto en el artículo 29.2.j) de la Ley 58/2003, de 17 de diciembre, General Tributaria, en el Reglamento aprobado por el Real Decreto 1007/2023, de 5 de diciembre, en la Orden HAC/1177/2024, de 17 de octubre, y en la sede electrónica de la Agencia Estatal de Administración Tributaria para todo aquello que complete las especificaciones de dicha Orden.`;

const months =
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(' ');

/** `21 de noviembre de 2026` */
function longDay(day: string): string {
  const [year, month, date] = day.split('-').map(Number);
  return `${date} de ${months[(month ?? 1) - 1]} de ${year}`;
}

const yesNo = (value: boolean) => (value ? 'Sí' : 'No');

function textOf(declared: DeclaredVersion, { producer, address, place }: Declarant): string {
  const id =
    producer.foreign_id === null
      ? producer.tax_id
      : `${producer.foreign_id.id} (tipo ${producer.foreign_id.type}, ${producer.foreign_id.country ?? 'sin país'})`;
  const items: [string, string][] = [
    ['Nombre del sistema informático', declared.system_name],
    ['Código identificador del sistema informático', declared.system_code],
    ['Identificador completo de la versión', declared.version],
    [
      'Componentes, hardware y software, y descripción de sus funcionalidades',
      [
        declared.functions,
        ...declared.components.map(({ name, description }) => `- ${name}: ${description}`),
      ].join('\n'),
    ],
    ['Funciona exclusivamente como VERI*FACTU', yesNo(declared.is_verifactu_only)],
    ['Permite que lo usen varios obligados tributarios', yesNo(declared.supports_many_taxpayers)],
    [
      'Tipos de firma de los registros de facturación y de evento cuando no es VERI*FACTU',
      declared.signature_types.map((type) => `- ${type}`).join('\n'),
    ],
    ['Nombre o razón social del productor', producer.name],
    ['NIF del productor', id ?? ''],
    ['Dirección postal completa del productor', address],
    ['Declaración de cumplimiento', statementOf(declared)],
    ['Fecha y lugar', `${longDay(declared.signed_on)}, ${place}`],
  ];
  const letters = 'abcdefghijkl';
  const body = items.map(([name, said], index) => `${letters[index]}) ${name}:\n${said}`);
  return [declarationTitle, ...body].join('\n\n');
}

/** What only a configured producer can say is null without one. */
export function declarationOf(declared: DeclaredVersion, declarant: Declarant | null) {
  return {
    id: declared.version,
    object: 'declaracion_responsable' as const,
    title: declarationTitle,
    is_configured: declarant !== null,
    system_name: declared.system_name,
    system_code: declared.system_code,
    version: declared.version,
    components: declared.components.map((component) => ({ ...component })),
    functions: declared.functions,
    is_verifactu_only: declared.is_verifactu_only,
    supports_many_taxpayers: declared.supports_many_taxpayers,
    signature_types: [...declared.signature_types],
    producer_name: declarant?.producer.name ?? null,
    producer_tax_id: declarant?.producer.tax_id ?? declarant?.producer.foreign_id?.id ?? null,
    producer_address: declarant?.address ?? null,
    statement: declarant ? statementOf(declared) : null,
    signed_on: declarant ? declared.signed_on : null,
    place: declarant?.place ?? null,
    text: declarant ? textOf(declared, declarant) : null,
    notice: declarant
      ? null
      : 'El productor del sistema no está configurado en esta instalación: no hay declaración responsable.',
  };
}
