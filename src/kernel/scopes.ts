/** The closed catalogue of scopes. It only grows: keys keep the scopes they were given. */
import type { PlanModule } from './plans.ts';
import type { PrincipalKind } from './operation.ts';
import type { Words } from './words.ts';

type Traits = {
  /** The plan must include this module; the group's when left out. */
  module?: PlanModule | null;
  /** Offered on the OAuth consent screen; as the group when left out. */
  oauth?: boolean;
  /** Deletes, or is hard to take back: never pre-selected on the consent screen. */
  sensitive?: true;
  /** A sandbox company neither gives nor uses it. */
  refused_in_sandbox?: true;
  /** Given to no key: what it opens is not released. */
  reserved?: true;
};
type Row = readonly [scope: string, description: Words, traits?: Traits];
type Group = {
  group: string;
  title: Words;
  module: PlanModule | null;
  oauth: boolean;
  scopes: readonly Row[];
};

const table = [
  {
    group: 'contacts',
    title: { es: 'Contactos', en: 'Contacts' },
    module: null,
    oauth: true,
    scopes: [
      ['contacts:read', { es: 'Consultar clientes y proveedores.', en: 'See clients and suppliers.' }],
      [
        'contacts:write',
        { es: 'Crear y modificar clientes y proveedores.', en: 'Create and change clients and suppliers.' },
      ],
      [
        'contacts:delete',
        {
          es: 'Archivar contactos y quitar los papeles sin uso.',
          en: 'Archive contacts and remove unused roles.',
        },
        { sensitive: true },
      ],
    ],
  },
  {
    group: 'products',
    title: { es: 'Productos y precios', en: 'Products and prices' },
    module: null,
    oauth: true,
    scopes: [
      ['products:read', { es: 'Consultar productos.', en: 'See products.' }],
      ['products:write', { es: 'Crear y modificar productos.', en: 'Create and change products.' }],
      ['products:delete', { es: 'Eliminar productos.', en: 'Delete products.' }, { sensitive: true }],
      ['price_lists:read', { es: 'Consultar tarifas de precios.', en: 'See price lists.' }],
      [
        'price_lists:write',
        { es: 'Crear y modificar tarifas de precios.', en: 'Create and change price lists.' },
      ],
    ],
  },
  {
    group: 'invoices',
    title: { es: 'Facturas', en: 'Invoices' },
    module: null,
    oauth: true,
    scopes: [
      ['invoices:read', { es: 'Consultar facturas.', en: 'See invoices.' }],
      [
        'invoices:write',
        {
          es: 'Crear, modificar, emitir, duplicar y rectificar facturas.',
          en: 'Create, change, issue, duplicate and correct invoices.',
        },
      ],
      [
        'invoices:delete',
        { es: 'Eliminar borradores de factura.', en: 'Delete draft invoices.' },
        { sensitive: true },
      ],
      ['invoices:send', { es: 'Enviar facturas por correo electrónico.', en: 'Send invoices by e-mail.' }],
      [
        'invoices:void',
        { es: 'Anular facturas emitidas.', en: 'Void issued invoices.' },
        { sensitive: true },
      ],
    ],
  },
  {
    group: 'quotes',
    title: { es: 'Presupuestos', en: 'Quotes' },
    module: null,
    oauth: true,
    scopes: [
      ['quotes:read', { es: 'Consultar presupuestos.', en: 'See quotes.' }],
      ['quotes:write', { es: 'Crear y modificar presupuestos.', en: 'Create and change quotes.' }],
      ['quotes:delete', { es: 'Eliminar presupuestos.', en: 'Delete quotes.' }, { sensitive: true }],
      ['quotes:send', { es: 'Enviar presupuestos por correo electrónico.', en: 'Send quotes by e-mail.' }],
      [
        'quotes:transition',
        { es: 'Aceptar, rechazar y convertir presupuestos.', en: 'Accept, reject and convert quotes.' },
      ],
    ],
  },
  {
    group: 'proformas',
    title: { es: 'Facturas proforma', en: 'Pro-forma invoices' },
    module: null,
    oauth: true,
    scopes: [
      ['proformas:read', { es: 'Consultar facturas proforma.', en: 'See pro-forma invoices.' }],
      [
        'proformas:write',
        { es: 'Crear y modificar facturas proforma.', en: 'Create and change pro-forma invoices.' },
      ],
      [
        'proformas:delete',
        { es: 'Eliminar facturas proforma.', en: 'Delete pro-forma invoices.' },
        { sensitive: true },
      ],
      [
        'proformas:send',
        { es: 'Enviar facturas proforma por correo electrónico.', en: 'Send pro-forma invoices by e-mail.' },
      ],
      [
        'proformas:transition',
        { es: 'Convertir facturas proforma en facturas.', en: 'Convert pro-forma invoices.' },
      ],
    ],
  },
  {
    group: 'delivery_notes',
    title: { es: 'Albaranes', en: 'Delivery notes' },
    module: null,
    oauth: true,
    scopes: [
      ['delivery_notes:read', { es: 'Consultar albaranes.', en: 'See delivery notes.' }],
      [
        'delivery_notes:write',
        { es: 'Crear y modificar albaranes.', en: 'Create and change delivery notes.' },
      ],
      [
        'delivery_notes:delete',
        { es: 'Eliminar albaranes.', en: 'Delete delivery notes.' },
        { sensitive: true },
      ],
      [
        'delivery_notes:transition',
        {
          es: 'Entregar, cancelar, firmar y convertir albaranes.',
          en: 'Deliver, cancel, sign and convert delivery notes.',
        },
      ],
      [
        'delivery_notes:gdpr_forget',
        { es: 'Borrar los datos personales de la firma.', en: 'Erase the personal data of a signature.' },
        { sensitive: true },
      ],
    ],
  },
  {
    group: 'purchase_invoices',
    title: { es: 'Facturas de compra', en: 'Purchase invoices' },
    module: null,
    oauth: true,
    scopes: [
      ['purchase_invoices:read', { es: 'Consultar facturas de compra.', en: 'See purchase invoices.' }],
      [
        'purchase_invoices:write',
        { es: 'Crear y modificar facturas de compra.', en: 'Create and change purchase invoices.' },
      ],
      [
        'purchase_invoices:delete',
        { es: 'Eliminar facturas de compra.', en: 'Delete purchase invoices.' },
        { sensitive: true },
      ],
      [
        'purchase_invoices:transition',
        {
          es: 'Marcar facturas de compra como recibidas, contabilizadas o pagadas.',
          en: 'Mark purchase invoices as received, accounted or paid.',
        },
      ],
    ],
  },
  {
    group: 'recurring_invoices',
    title: { es: 'Facturas recurrentes', en: 'Recurring invoices' },
    module: null,
    oauth: true,
    scopes: [
      ['recurring_invoices:read', { es: 'Consultar facturas recurrentes.', en: 'See recurring invoices.' }],
      [
        'recurring_invoices:write',
        { es: 'Crear y modificar facturas recurrentes.', en: 'Create and change recurring invoices.' },
      ],
      [
        'recurring_invoices:delete',
        { es: 'Eliminar facturas recurrentes.', en: 'Delete recurring invoices.' },
        { sensitive: true },
      ],
      [
        'recurring_invoices:transition',
        {
          es: 'Pausar, reanudar y emitir a mano facturas recurrentes.',
          en: 'Pause, resume and emit recurring invoices by hand.',
        },
      ],
    ],
  },
  {
    group: 'catalogs',
    title: { es: 'Catálogos y exportación', en: 'Catalogues and export' },
    module: null,
    oauth: true,
    scopes: [
      ['taxes:read', { es: 'Consultar impuestos.', en: 'See taxes.' }],
      ['taxes:write', { es: 'Crear y modificar impuestos.', en: 'Create and change taxes.' }],
      ['taxes:delete', { es: 'Eliminar impuestos.', en: 'Delete taxes.' }, { sensitive: true }],
      ['series:read', { es: 'Consultar series de numeración.', en: 'See numbering series.' }],
      [
        'series:write',
        { es: 'Crear y modificar series de numeración.', en: 'Create and change numbering series.' },
      ],
      [
        'pdfs:read',
        {
          es: 'Descargar el PDF de los documentos que se pueden consultar.',
          en: 'Download the PDF of documents that it may see.',
        },
      ],
      ['tax_reports:read', { es: 'Consultar informes fiscales.', en: 'See tax reports.' }],
      ['tax_reports:write', { es: 'Generar informes fiscales.', en: 'Make tax reports.' }],
    ],
  },
  {
    group: 'account',
    title: { es: 'Cuenta', en: 'Account' },
    module: null,
    oauth: true,
    scopes: [
      ['account:read', { es: 'Consultar la cuenta.', en: 'See the account.' }],
      [
        'account:write',
        {
          es: 'Gestionar las claves y la personalización de la cuenta.',
          en: 'Manage the keys and the look of the account.',
        },
        { sensitive: true },
      ],
    ],
  },
  {
    group: 'verifactu',
    title: { es: 'Registros de la Agencia Tributaria', en: 'Records of the tax agency' },
    module: null,
    oauth: true,
    scopes: [
      ['verifactu:read', { es: 'Consultar los registros de facturación.', en: 'See the billing records.' }],
      [
        'verifactu:write',
        {
          es: 'Configurar VeriFactu y reenviar o subsanar registros.',
          en: 'Set up VeriFactu and resend or amend records.',
        },
        { sensitive: true },
      ],
    ],
  },
  {
    group: 'facturae',
    title: { es: 'FacturaE', en: 'FacturaE' },
    module: null,
    oauth: true,
    scopes: [
      [
        'facturae:read',
        { es: 'Consultar el XML de FacturaE y sus envíos.', en: 'See FacturaE files and their submissions.' },
      ],
      [
        'facturae:write',
        {
          es: 'Presentar facturas en FACe y solicitar su anulación.',
          en: 'Submit invoices to FACe and request their cancellation.',
        },
        { sensitive: true },
      ],
    ],
  },
  {
    group: 'webhooks',
    title: { es: 'Webhooks y eventos', en: 'Webhooks and events' },
    module: null,
    oauth: true,
    scopes: [
      [
        'webhooks:read',
        {
          es: 'Consultar los puntos de entrega de webhooks y sus entregas.',
          en: 'See webhook endpoints and their deliveries.',
        },
      ],
      [
        'webhooks:write',
        {
          es: 'Crear, modificar y probar puntos de entrega de webhooks.',
          en: 'Create, change and test webhook endpoints.',
        },
      ],
      [
        'webhooks:delete',
        { es: 'Eliminar puntos de entrega de webhooks.', en: 'Delete webhook endpoints.' },
        { sensitive: true },
      ],
      ['events:read', { es: 'Consultar los eventos.', en: 'See events.' }],
    ],
  },
  {
    group: 'integrations',
    title: { es: 'Integraciones', en: 'Integrations' },
    module: null,
    oauth: true,
    scopes: [
      [
        'paygw_autoinvoicing:read',
        {
          es: 'Consultar la facturación automática de la pasarela de pago.',
          en: 'See automatic invoicing of the payment gateway.',
        },
      ],
      [
        'paygw_autoinvoicing:write',
        {
          es: 'Configurar la facturación automática de la pasarela de pago.',
          en: 'Set up automatic invoicing of the payment gateway.',
        },
        { refused_in_sandbox: true },
      ],
      [
        'payouts:read',
        {
          es: 'Consultar las liquidaciones de la pasarela de pago.',
          en: 'See payouts of the payment gateway.',
        },
        { refused_in_sandbox: true },
      ],
      [
        'integration_events:read',
        { es: 'Consultar los eventos de las integraciones.', en: 'See events of the integrations.' },
      ],
      [
        'integration_events:write',
        {
          es: 'Reprocesar los eventos retenidos de las integraciones.',
          en: 'Replay parked events of the integrations.',
        },
      ],
      ['developers:read', { es: 'Consultar el registro de peticiones.', en: 'See the request log.' }],
      ['emails:read', { es: 'Consultar los correos enviados.', en: 'See e-mails sent.' }],
    ],
  },
  {
    group: 'reserved',
    title: { es: 'Reservados', en: 'Reserved' },
    module: null,
    oauth: false,
    scopes: [
      [
        'gateway_a:read',
        {
          es: 'Reservado: pasarela de pago sin publicar.',
          en: 'Reserved: a payment gateway that is not released.',
        },
        { reserved: true },
      ],
      [
        'gateway_a:write',
        {
          es: 'Reservado: pasarela de pago sin publicar.',
          en: 'Reserved: a payment gateway that is not released.',
        },
        { reserved: true },
      ],
      [
        'gateway_b:read',
        {
          es: 'Reservado: pasarela de pago sin publicar.',
          en: 'Reserved: a payment gateway that is not released.',
        },
        { reserved: true },
      ],
      [
        'gateway_b:write',
        {
          es: 'Reservado: pasarela de pago sin publicar.',
          en: 'Reserved: a payment gateway that is not released.',
        },
        { reserved: true },
      ],
    ],
  },
  {
    group: 'workforce',
    title: { es: 'Control horario', en: 'Time control' },
    module: 'time_control',
    oauth: false,
    scopes: [
      ['employees:read', { es: 'Consultar empleados.', en: 'See employees.' }, { oauth: true }],
      ['employees:write', { es: 'Crear y modificar empleados.', en: 'Create and change employees.' }],
      ['employees:delete', { es: 'Eliminar empleados.', en: 'Delete employees.' }, { sensitive: true }],
      ['time_entries:read', { es: 'Consultar fichajes.', en: 'See time entries.' }, { oauth: true }],
      [
        'time_entries:write',
        { es: 'Registrar y corregir fichajes.', en: 'Record and correct time entries.' },
      ],
      [
        'absences:read',
        { es: 'Consultar ausencias y saldos.', en: 'See absences and balances.' },
        { oauth: true },
      ],
      ['absences:write', { es: 'Crear y modificar ausencias.', en: 'Create and change absences.' }],
      [
        'absences:transition',
        { es: 'Aprobar, rechazar y cancelar ausencias.', en: 'Approve, reject and cancel absences.' },
      ],
      [
        'work_schedules:read',
        { es: 'Consultar horarios de trabajo.', en: 'See work schedules.' },
        { oauth: true },
      ],
      [
        'work_schedules:write',
        { es: 'Crear y modificar horarios de trabajo.', en: 'Create and change work schedules.' },
      ],
      [
        'presence:read',
        { es: 'Consultar quién está trabajando.', en: 'See who is at work.' },
        { oauth: true },
      ],
      ['holidays:read', { es: 'Consultar festivos.', en: 'See public holidays.' }, { oauth: true }],
      [
        'payroll_exports:read',
        { es: 'Consultar exportaciones de nómina.', en: 'See payroll exports.' },
        { oauth: true },
      ],
      ['payroll_exports:write', { es: 'Generar exportaciones de nómina.', en: 'Make payroll exports.' }],
    ],
  },
  {
    // Only companies:* need the accountancy module; keys of managed companies do not.
    group: 'managed_companies',
    title: { es: 'Empresas gestionadas', en: 'Managed companies' },
    module: null,
    oauth: false,
    scopes: [
      [
        'companies:read',
        { es: 'Consultar empresas gestionadas.', en: 'See managed companies.' },
        { module: 'accountancy', refused_in_sandbox: true },
      ],
      [
        'companies:write',
        {
          es: 'Crear, modificar, activar y desactivar empresas gestionadas.',
          en: 'Create, change, activate and deactivate managed companies.',
        },
        { module: 'accountancy', refused_in_sandbox: true },
      ],
      [
        'companies:delete',
        { es: 'Archivar empresas gestionadas.', en: 'Archive managed companies.' },
        { module: 'accountancy', refused_in_sandbox: true, sensitive: true },
      ],
      [
        'api_keys:read',
        { es: 'Consultar las claves de empresas gestionadas.', en: 'See the keys of managed companies.' },
        { refused_in_sandbox: true },
      ],
      [
        'api_keys:write',
        {
          es: 'Crear, rotar y revocar claves de empresas gestionadas.',
          en: 'Create, rotate and revoke keys of managed companies.',
        },
        { refused_in_sandbox: true },
      ],
      [
        'api_keys:delete',
        {
          es: 'Eliminar para siempre claves de empresas gestionadas.',
          en: 'Delete keys of managed companies for good.',
        },
        { refused_in_sandbox: true, sensitive: true },
      ],
    ],
  },
  {
    group: 'stores',
    title: { es: 'Tiendas', en: 'Shops' },
    module: 'stores',
    oauth: false,
    scopes: [
      [
        'stores:read',
        { es: 'Consultar tiendas conectadas y sus pedidos.', en: 'See connected shops and their orders.' },
      ],
      ['stores:write', { es: 'Conectar y configurar tiendas.', en: 'Connect and set up shops.' }],
    ],
  },
  {
    group: 'automations',
    title: { es: 'Automatizaciones', en: 'Automations' },
    module: 'automations',
    oauth: false,
    scopes: [
      [
        'automations:read',
        {
          es: 'Consultar reglas de automatización y sus ejecuciones.',
          en: 'See automation rules and their runs.',
        },
      ],
      [
        'automations:write',
        {
          es: 'Crear, activar y pausar reglas de automatización.',
          en: 'Create, activate and pause automation rules.',
        },
      ],
    ],
  },
] as const satisfies readonly Group[];

/** Grants every scope that plan and environment allow. Always assignable. */
export const SUPER_SCOPE = '*';

export type Scope = (typeof table)[number]['scopes'][number][0];
export type ScopeGroup = (typeof table)[number]['group'];

/** `oauth` is the dotted name on the consent screen; null for scopes of API keys alone. */
export type ScopeEntry = {
  readonly scope: Scope;
  readonly group: ScopeGroup;
  readonly description: Words;
  readonly module: PlanModule | null;
  readonly refused_in_sandbox: boolean;
  readonly assignable: boolean;
  readonly oauth: string | null;
  readonly sensitive: boolean;
};

export const scopeGroups: readonly { group: ScopeGroup; title: Words }[] = table.map(({ group, title }) => ({
  group,
  title,
}));

/** Without the super-scope. */
export const scopeCatalogue: readonly ScopeEntry[] = table.flatMap(({ group, module, oauth, scopes }) =>
  (scopes as readonly (readonly [scope: Scope, description: Words, traits?: Traits])[]).map(
    ([scope, description, traits = {}]) => ({
      scope,
      group,
      description,
      module: traits.module === undefined ? module : traits.module,
      refused_in_sandbox: traits.refused_in_sandbox === true,
      assignable: traits.reserved !== true,
      oauth: (traits.oauth ?? oauth) ? scope.replace(':', '.') : null,
      sensitive: traits.sensitive === true,
    }),
  ),
);

const byScope: ReadonlyMap<string, ScopeEntry> = new Map(scopeCatalogue.map((entry) => [entry.scope, entry]));

export type ScopeContext = {
  readonly modules: readonly PlanModule[];
  readonly environment: 'live' | 'test';
  /** Who uses it; an API key when left out. */
  readonly principal?: { readonly kind: PrincipalKind };
};

export type ScopeRefusal = 'invalid_scope' | 'scope_not_allowed_by_plan' | 'scope_not_allowed_in_sandbox';

/** True for `*` and reserved scopes too. */
export function isKnownScope(scope: string): boolean {
  return scope === SUPER_SCOPE || byScope.has(scope);
}

/**
 * Null when a new key may hold the scope. A sandbox's refusal comes before the plan's: a larger plan would not help.
 */
export function scopeRefusal(scope: string, context: ScopeContext): ScopeRefusal | null {
  if (scope === SUPER_SCOPE) return null;
  const entry = byScope.get(scope);
  if (!entry?.assignable) return 'invalid_scope';
  return refusalInUse(entry, context);
}

/**
 * Whether `held` allows `needed`; false for `*` and scopes outside the catalogue. A held scope, `*` included, counts
 * only while plan and environment allow it, and only for whom it is open.
 */
export function scopesAllow(held: readonly string[], needed: string, context: ScopeContext): boolean {
  const entry = byScope.get(needed);
  if (!entry || isKeptFrom(entry, context.principal?.kind) || refusalInUse(entry, context) !== null)
    return false;
  return held.includes(needed) || held.includes(SUPER_SCOPE);
}

/** Stores and managed companies are for API keys. A token has only what a consent can give, whatever it holds. */
const keptFromPersons: ReadonlySet<ScopeGroup> = new Set(['managed_companies', 'stores']);

function isKeptFrom({ group, oauth }: ScopeEntry, kind: PrincipalKind | undefined): boolean {
  return kind === 'oauth' ? oauth === null : kind === 'user' && keptFromPersons.has(group);
}

function refusalInUse(entry: ScopeEntry, { modules, environment }: ScopeContext): ScopeRefusal | null {
  if (environment === 'test' && entry.refused_in_sandbox) return 'scope_not_allowed_in_sandbox';
  if (entry.module !== null && !modules.includes(entry.module)) return 'scope_not_allowed_by_plan';
  return null;
}

const offered = scopeCatalogue.filter((entry) => entry.oauth !== null);
const isRead = ({ scope }: ScopeEntry) => scope.endsWith(':read');
const isEverydayChange = ({ scope, sensitive }: ScopeEntry) =>
  /:(write|send|transition)$/.test(scope) && !sensitive;

export const oauthScopes: readonly ScopeEntry[] = offered;

export const oauthMacros: ReadonlyMap<string, readonly ScopeEntry[]> = new Map([
  ['svc.read', offered.filter(isRead)],
  ['svc.write', offered.filter((entry) => isRead(entry) || isEverydayChange(entry))],
  ['svc.full', offered],
]);

const byOauthName: ReadonlyMap<string, ScopeEntry> = new Map(
  offered.map((entry) => [entry.oauth ?? '', entry]),
);

/** A dotted name or a macro; undefined when OAuth does not offer it. */
export function expandOauthScope(name: string): readonly ScopeEntry[] | undefined {
  const single = byOauthName.get(name);
  return single ? [single] : oauthMacros.get(name);
}
