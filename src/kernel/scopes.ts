/** The closed catalogue of scopes. It only grows: keys keep the scopes they were given. */
import type { PlanModule } from './plans.ts';
import type { PrincipalKind } from './operation.ts';

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
type Row = readonly [scope: string, description: string, traits?: Traits];
type Group = {
  group: string;
  title: string;
  module: PlanModule | null;
  oauth: boolean;
  scopes: readonly Row[];
};

const table = [
  {
    group: 'contacts',
    title: 'Contactos',
    module: null,
    oauth: true,
    scopes: [
      ['contacts:read', 'Consultar clientes y proveedores.'],
      ['contacts:write', 'Crear y modificar clientes y proveedores.'],
      ['contacts:delete', 'Archivar contactos y quitar los papeles sin uso.', { sensitive: true }],
    ],
  },
  {
    group: 'products',
    title: 'Productos y precios',
    module: null,
    oauth: true,
    scopes: [
      ['products:read', 'Consultar productos.'],
      ['products:write', 'Crear y modificar productos.'],
      ['products:delete', 'Eliminar productos.', { sensitive: true }],
      ['price_lists:read', 'Consultar tarifas de precios.'],
      ['price_lists:write', 'Crear y modificar tarifas de precios.'],
    ],
  },
  {
    group: 'invoices',
    title: 'Facturas',
    module: null,
    oauth: true,
    scopes: [
      ['invoices:read', 'Consultar facturas.'],
      ['invoices:write', 'Crear, modificar, emitir, duplicar y rectificar facturas.'],
      ['invoices:delete', 'Eliminar borradores de factura.', { sensitive: true }],
      ['invoices:send', 'Enviar facturas por correo electrónico.'],
      ['invoices:void', 'Anular facturas emitidas.', { sensitive: true }],
    ],
  },
  {
    group: 'quotes',
    title: 'Presupuestos',
    module: null,
    oauth: true,
    scopes: [
      ['quotes:read', 'Consultar presupuestos.'],
      ['quotes:write', 'Crear y modificar presupuestos.'],
      ['quotes:delete', 'Eliminar presupuestos.', { sensitive: true }],
      ['quotes:send', 'Enviar presupuestos por correo electrónico.'],
      ['quotes:transition', 'Aceptar, rechazar y convertir presupuestos.'],
    ],
  },
  {
    group: 'proformas',
    title: 'Facturas proforma',
    module: null,
    oauth: true,
    scopes: [
      ['proformas:read', 'Consultar facturas proforma.'],
      ['proformas:write', 'Crear y modificar facturas proforma.'],
      ['proformas:delete', 'Eliminar facturas proforma.', { sensitive: true }],
      ['proformas:send', 'Enviar facturas proforma por correo electrónico.'],
      ['proformas:transition', 'Convertir facturas proforma en facturas.'],
    ],
  },
  {
    group: 'delivery_notes',
    title: 'Albaranes',
    module: null,
    oauth: true,
    scopes: [
      ['delivery_notes:read', 'Consultar albaranes.'],
      ['delivery_notes:write', 'Crear y modificar albaranes.'],
      ['delivery_notes:delete', 'Eliminar albaranes.', { sensitive: true }],
      ['delivery_notes:transition', 'Entregar, cancelar, firmar y convertir albaranes.'],
      ['delivery_notes:gdpr_forget', 'Borrar los datos personales de la firma.', { sensitive: true }],
    ],
  },
  {
    group: 'purchase_invoices',
    title: 'Facturas de compra',
    module: null,
    oauth: true,
    scopes: [
      ['purchase_invoices:read', 'Consultar facturas de compra.'],
      ['purchase_invoices:write', 'Crear y modificar facturas de compra.'],
      ['purchase_invoices:delete', 'Eliminar facturas de compra.', { sensitive: true }],
      ['purchase_invoices:transition', 'Marcar facturas de compra como recibidas, contabilizadas o pagadas.'],
    ],
  },
  {
    group: 'recurring_invoices',
    title: 'Facturas recurrentes',
    module: null,
    oauth: true,
    scopes: [
      ['recurring_invoices:read', 'Consultar facturas recurrentes.'],
      ['recurring_invoices:write', 'Crear y modificar facturas recurrentes.'],
      ['recurring_invoices:delete', 'Eliminar facturas recurrentes.', { sensitive: true }],
      ['recurring_invoices:transition', 'Pausar, reanudar y emitir a mano facturas recurrentes.'],
    ],
  },
  {
    group: 'catalogs',
    title: 'Catálogos y exportación',
    module: null,
    oauth: true,
    scopes: [
      ['taxes:read', 'Consultar impuestos.'],
      ['taxes:write', 'Crear y modificar impuestos.'],
      ['taxes:delete', 'Eliminar impuestos.', { sensitive: true }],
      ['series:read', 'Consultar series de numeración.'],
      ['series:write', 'Crear y modificar series de numeración.'],
      ['pdfs:read', 'Descargar el PDF de los documentos que se pueden consultar.'],
      ['tax_reports:read', 'Consultar informes fiscales.'],
      ['tax_reports:write', 'Generar informes fiscales.'],
    ],
  },
  {
    group: 'account',
    title: 'Cuenta',
    module: null,
    oauth: true,
    scopes: [
      ['account:read', 'Consultar la cuenta.'],
      ['account:write', 'Gestionar las claves y la personalización de la cuenta.', { sensitive: true }],
    ],
  },
  {
    group: 'verifactu',
    title: 'Registros de la Agencia Tributaria',
    module: null,
    oauth: true,
    scopes: [
      ['verifactu:read', 'Consultar los registros de facturación.'],
      ['verifactu:write', 'Configurar VeriFactu y reenviar o subsanar registros.', { sensitive: true }],
    ],
  },
  {
    group: 'facturae',
    title: 'FacturaE',
    module: null,
    oauth: true,
    scopes: [
      ['facturae:read', 'Consultar el XML de FacturaE y sus envíos.'],
      ['facturae:write', 'Presentar facturas en FACe y solicitar su anulación.', { sensitive: true }],
    ],
  },
  {
    group: 'webhooks',
    title: 'Webhooks y eventos',
    module: null,
    oauth: true,
    scopes: [
      ['webhooks:read', 'Consultar los puntos de entrega de webhooks y sus entregas.'],
      ['webhooks:write', 'Crear, modificar y probar puntos de entrega de webhooks.'],
      ['webhooks:delete', 'Eliminar puntos de entrega de webhooks.', { sensitive: true }],
      ['events:read', 'Consultar los eventos.'],
    ],
  },
  {
    group: 'integrations',
    title: 'Integraciones',
    module: null,
    oauth: true,
    scopes: [
      ['paygw_autoinvoicing:read', 'Consultar la facturación automática de la pasarela de pago.'],
      [
        'paygw_autoinvoicing:write',
        'Configurar la facturación automática de la pasarela de pago.',
        { refused_in_sandbox: true },
      ],
      ['payouts:read', 'Consultar las liquidaciones de la pasarela de pago.', { refused_in_sandbox: true }],
      ['integration_events:read', 'Consultar los eventos de las integraciones.'],
      ['integration_events:write', 'Reprocesar los eventos retenidos de las integraciones.'],
      ['developers:read', 'Consultar el registro de peticiones.'],
      ['emails:read', 'Consultar los correos enviados.'],
    ],
  },
  {
    group: 'reserved',
    title: 'Reservados',
    module: null,
    oauth: false,
    scopes: [
      ['gateway_a:read', 'Reservado: pasarela de pago sin publicar.', { reserved: true }],
      ['gateway_a:write', 'Reservado: pasarela de pago sin publicar.', { reserved: true }],
      ['gateway_b:read', 'Reservado: pasarela de pago sin publicar.', { reserved: true }],
      ['gateway_b:write', 'Reservado: pasarela de pago sin publicar.', { reserved: true }],
    ],
  },
  {
    group: 'workforce',
    title: 'Control horario',
    module: 'time_control',
    oauth: false,
    scopes: [
      ['employees:read', 'Consultar empleados.', { oauth: true }],
      ['employees:write', 'Crear y modificar empleados.'],
      ['employees:delete', 'Eliminar empleados.', { sensitive: true }],
      ['time_entries:read', 'Consultar fichajes.', { oauth: true }],
      ['time_entries:write', 'Registrar y corregir fichajes.'],
      ['absences:read', 'Consultar ausencias y saldos.', { oauth: true }],
      ['absences:write', 'Crear y modificar ausencias.'],
      ['absences:transition', 'Aprobar, rechazar y cancelar ausencias.'],
      ['work_schedules:read', 'Consultar horarios de trabajo.', { oauth: true }],
      ['work_schedules:write', 'Crear y modificar horarios de trabajo.'],
      ['presence:read', 'Consultar quién está trabajando.', { oauth: true }],
      ['holidays:read', 'Consultar festivos.', { oauth: true }],
      ['payroll_exports:read', 'Consultar exportaciones de nómina.', { oauth: true }],
      ['payroll_exports:write', 'Generar exportaciones de nómina.'],
    ],
  },
  {
    // Only companies:* need the accountancy module; keys of managed companies do not.
    group: 'managed_companies',
    title: 'Empresas gestionadas',
    module: null,
    oauth: false,
    scopes: [
      [
        'companies:read',
        'Consultar empresas gestionadas.',
        { module: 'accountancy', refused_in_sandbox: true },
      ],
      [
        'companies:write',
        'Crear, modificar, activar y desactivar empresas gestionadas.',
        { module: 'accountancy', refused_in_sandbox: true },
      ],
      [
        'companies:delete',
        'Archivar empresas gestionadas.',
        { module: 'accountancy', refused_in_sandbox: true, sensitive: true },
      ],
      ['api_keys:read', 'Consultar las claves de empresas gestionadas.', { refused_in_sandbox: true }],
      [
        'api_keys:write',
        'Crear, rotar y revocar claves de empresas gestionadas.',
        { refused_in_sandbox: true },
      ],
      [
        'api_keys:delete',
        'Eliminar para siempre claves de empresas gestionadas.',
        { refused_in_sandbox: true, sensitive: true },
      ],
    ],
  },
  {
    group: 'stores',
    title: 'Tiendas',
    module: 'stores',
    oauth: false,
    scopes: [
      ['stores:read', 'Consultar tiendas conectadas y sus pedidos.'],
      ['stores:write', 'Conectar y configurar tiendas.'],
    ],
  },
  {
    group: 'automations',
    title: 'Automatizaciones',
    module: 'automations',
    oauth: false,
    scopes: [
      ['automations:read', 'Consultar reglas de automatización y sus ejecuciones.'],
      ['automations:write', 'Crear, activar y pausar reglas de automatización.'],
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
  readonly description: string;
  readonly module: PlanModule | null;
  readonly refused_in_sandbox: boolean;
  readonly assignable: boolean;
  readonly oauth: string | null;
  readonly sensitive: boolean;
};

export const scopeGroups: readonly { group: ScopeGroup; title: string }[] = table.map(({ group, title }) => ({
  group,
  title,
}));

/** Without the super-scope. */
export const scopeCatalogue: readonly ScopeEntry[] = table.flatMap(({ group, module, oauth, scopes }) =>
  (scopes as readonly (readonly [scope: Scope, description: string, traits?: Traits])[]).map(
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

/** Stores and managed companies are for API keys; a token has what a consent can give, whatever it holds. */
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
