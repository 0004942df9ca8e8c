import type { Operation } from '../../kernel/operation.ts';
import { scopeGroups } from '../../kernel/scopes.ts';

const titles: Record<string, string> = {
  ...Object.fromEntries(scopeGroups.map(({ group, title }) => [group, title.es])),
  account: 'Cuenta y claves de API',
  audit: 'Auditoría y registro de peticiones',
  clients: 'Clientes',
  companies: 'Empresas',
  developers: 'Registro de peticiones',
  emails: 'Correos enviados',
  events: 'Eventos',
  oauth: 'Aplicaciones OAuth',
  payments: 'Cobros',
  pdfs: 'PDF',
  price_lists: 'Tarifas de precios',
  products: 'Productos',
  purchase_scans: 'Documentos escaneados',
  sandbox: 'Entorno de pruebas',
  series: 'Series de numeración',
  suppliers: 'Proveedores',
  taxes: 'Impuestos',
  tax_reports: 'Informes fiscales',
  verifactu: 'VeriFactu',
  webhooks: 'Webhooks',
};

const descriptions: Record<string, string> = {
  account: 'La clave con la que se llama, y las demás claves de la empresa.',
  audit: 'Quién hizo qué en la empresa, y qué peticiones llegaron.',
  clients: 'A quién se factura.',
  companies: 'Los datos de la empresa que factura.',
  developers: 'Las peticiones que llegaron y lo que se respondió.',
  emails: 'Los correos que el servicio ha enviado o tiene por enviar.',
  events: 'Lo que ha ocurrido con cada recurso, en orden.',
  invoices: 'Borradores, emisión, rectificación, cobro y anulación.',
  oauth: 'Aplicaciones que actúan en nombre de una persona, y lo que se les ha autorizado.',
  products: 'Lo que se vende, para no escribirlo en cada línea.',
  sandbox: 'El reloj y las demás ayudas del entorno de pruebas.',
  series: 'Las series en las que se numeran los documentos.',
  suppliers: 'A quién se compra.',
  taxes: 'Los impuestos y retenciones que se aplican en las líneas.',
  verifactu: 'Los registros de facturación y su envío a la Agencia Tributaria.',
  webhooks: 'Los puntos que reciben los eventos, y sus entregas.',
};

export type TagGroup = { tag: string; title: string; description: string; operations: Operation[] };

/** A tag without a title shows its own words. */
export function tagTitle(tag: string): string {
  const words = tag.replaceAll('-', '_');
  const plain = words.replaceAll('_', ' ');
  return titles[words] ?? plain.charAt(0).toUpperCase() + plain.slice(1);
}

function tagDescription(tag: string): string {
  return descriptions[tag.replaceAll('-', '_')] ?? `${tagTitle(tag)}.`;
}

export function groupByTag(operations: readonly Operation[]): TagGroup[] {
  const groups = Map.groupBy(operations, (operation) => operation.tag);
  return [...groups].map(([tag, members]) => ({
    tag,
    title: tagTitle(tag),
    description: tagDescription(tag),
    operations: members,
  }));
}
