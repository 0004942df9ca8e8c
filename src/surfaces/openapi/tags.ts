/** The tags of the operations with the titles that people read, in the order of the catalogue. */
import type { Operation } from '../../kernel/operation.ts';
import { scopeGroups } from '../../kernel/scopes.ts';

const titles: Record<string, string> = {
  ...Object.fromEntries(scopeGroups.map(({ group, title }) => [group, title])),
  account: 'Cuenta y claves de API',
  audit: 'Auditoría y registro de peticiones',
  clients: 'Clientes',
  companies: 'Empresas',
  developers: 'Registro de peticiones',
  emails: 'Correos enviados',
  events: 'Eventos',
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

export type TagGroup = { tag: string; title: string; operations: Operation[] };

/** `delivery-notes` and `delivery_notes` have one title; a tag without one shows its own words. */
export function tagTitle(tag: string): string {
  const words = tag.replaceAll('-', '_');
  const plain = words.replaceAll('_', ' ');
  return titles[words] ?? plain.charAt(0).toUpperCase() + plain.slice(1);
}

/** The operations by tag; tags and operations stay in the order of the catalogue. */
export function groupByTag(operations: readonly Operation[]): TagGroup[] {
  const groups = Map.groupBy(operations, (operation) => operation.tag);
  return [...groups].map(([tag, members]) => ({ tag, title: tagTitle(tag), operations: members }));
}
