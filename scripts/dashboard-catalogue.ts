/** What the dashboard knows of operations and permissions: it is printed, because web/ imports only types from src/. */
import { magicValues, unknown_taxpayer_nif } from 'aeat-simulator';
import { defaultVatKinds, validKinds } from '../src/domain/sales/document-kinds.ts';
import { seriesKinds } from '../src/domain/sales/default-series.ts';
import { type Operation, scopesNeeded, scopesNeededOfPeople } from '../src/kernel/operation.ts';
import { planModules, planNames, plans } from '../src/kernel/plans.ts';
import { scopeCatalogue, scopeGroups } from '../src/kernel/scopes.ts';
import { families } from '../src/modules/families.ts';
import { catalog } from '../src/modules/catalog.ts';
import type { TSchema } from '../src/kernel/schema.ts';
import { eventCatalog } from '../src/modules/events/index.ts';
import { magicAddresses } from '../src/modules/emails/rules/sandbox-mail.ts';
import { personOperations } from '../src/modules/people/index.ts';
import { roles, scopesOfRole } from '../src/modules/people/rules/roles.ts';
import { typeText } from './schema-types.ts';

const lines = (rows: readonly string[]) => rows.map((row) => `  ${row},\n`).join('');

/** `GET /v1/invoices invoices:read`; `@test` at the end: of the sandbox alone. */
function operationLine(operation: Operation): string {
  const { name, method, path, environment } = operation;
  const only = environment === null ? [] : [`@${environment}`];
  return `${name}: '${[method, path, ...scopesNeededOfPeople(operation), ...only].join(' ')}'`;
}

const notice = '/** Printed by `npm run print`; do not edit. */';

export function printOperations(): string {
  const operations = [...catalog, ...personOperations]
    .filter(({ callers }) => callers.includes('user'))
    .map(operationLine);
  const held = roles.map((role) => {
    const [live, test] = (['live', 'test'] as const).map((environment) =>
      JSON.stringify(scopesOfRole(role, environment).join(' ')),
    );
    return `${role}: { live: ${live}, test: ${test} }`;
  });
  const limits = scopeCatalogue
    .filter(({ module, refused_in_sandbox }) => module !== null || refused_in_sandbox)
    .map(
      ({ scope, module, refused_in_sandbox }) =>
        `'${scope}': { module: ${JSON.stringify(module)}, refused_in_sandbox: ${refused_in_sandbox} }`,
    );
  const modules = planNames.map((plan) => `${plan}: ${JSON.stringify(planModules(plan))}`);
  return `${notice}

/** What a person may call, by name: method, path, scopes. */
export const operations = {
${lines(operations)}} as const;

/** By role and environment; \`*\` is all. */
export const roleScopes = {
${lines(held)}} as const;

type Limits = { module: string | null; refused_in_sandbox: boolean };

/** Scopes that the plan or the sandbox may refuse. */
export const scopeLimits: Readonly<Record<string, Limits>> = {
${lines(limits)}};

/** Modules of each plan. */
export const planModules: Readonly<Record<string, readonly string[]>> = {
${lines(modules)}};
`;
}

/** The settings of a service may replace the requests a minute. */
export function printPlans(): string {
  const limits = planNames.map((name) => {
    const { reads_per_minute, writes_per_minute, email_recipients_per_day } = plans[name];
    return `${name}: ${JSON.stringify({ reads_per_minute, writes_per_minute, email_recipients_per_day })}`;
  });
  return `${notice}

type PlanLimits = {
  reads_per_minute: number;
  writes_per_minute: number;
  email_recipients_per_day: number;
};

export const planLimits: Readonly<Record<string, PlanLimits>> = {
${lines(limits)}};
`;
}

/** Their meaning is in the words of the page: an outcome without words fails the type check. */
export function printSandbox(): string {
  const values = magicValues.map(({ outcome, recipient_nif, total }) =>
    JSON.stringify({
      outcome,
      tax_id: recipient_nif,
      total: `${total / 100n}.${String(total % 100n).padStart(2, '0')}`,
    }),
  );
  return `${notice}

/** The simulator's answer to an invoice to this tax id, or, without a recipient, of this total. */
export const magicValues = [
${lines(values)}] as const;

/** A company with this tax id is unknown to the authority. */
export const unknown_taxpayer = '${unknown_taxpayer_nif}';

export const magicAddresses = ${JSON.stringify(magicAddresses)} as const;
`;
}

/** The kinds that the forms of a company and of its series name. */
export function printDocuments(): string {
  const list = (name: string, kinds: readonly string[]) =>
    `export const ${name} = ${JSON.stringify(kinds)} as const;\n`;
  return `${notice}

${list('vatKinds', defaultVatKinds)}${list('validKinds', validKinds)}${list('seriesKinds', seriesKinds)}`;
}

export function printScopes(): string {
  const groups = scopeGroups
    .map(({ group, title }) => ({
      group,
      title,
      scopes: scopeCatalogue
        .filter((entry) => entry.assignable && entry.group === group)
        .map(({ scope, description, sensitive }) => ({
          scope,
          description,
          is_sensitive: sensitive,
        })),
    }))
    .filter((group) => group.scopes.length > 0)
    .map((group) => JSON.stringify(group));
  return `${notice}

export type ScopeGroup = {
  group: string;
  title: { es: string; en: string };
  scopes: readonly { scope: string; description: { es: string; en: string }; is_sensitive: boolean }[];
};

/** What a key may be given. */
export const scopeGroups: readonly ScopeGroup[] = [
${lines(groups)}];
`;
}

/** Schemas are on the pages of the reference: here they would be heavier than the page. */
export function printTools(): string {
  const tools = catalog
    .filter(({ mcp }) => mcp)
    .map((operation) => {
      const { name, summary, tag, transaction } = operation;
      const is_read = transaction === 'read';
      return JSON.stringify({ name, title: summary, tag, scopes: scopesNeeded(operation), is_read });
    });
  return `${notice}

export type Tool = {
  name: string;
  title: string;
  /** Its page of the reference. */
  tag: string;
  scopes: readonly string[];
  is_read: boolean;
};

/** What an agent may call. */
export const tools: readonly Tool[] = [
${lines(tools)}];
`;
}

const typeName = (object: string) =>
  object.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

const findOperation = (name: string) => catalog.find((operation) => operation.name === name);

function operationNamed(name: string): Operation {
  const found = findOperation(name);
  if (!found) throw new Error(`There is no operation ${name}.`);
  return found;
}

/** Objects whose shape is made at run time or named nowhere, besides the families of documents. */
const alsoPrinted = ['client', 'supplier', 'verifactu_stats'];

/** The rest has its type from its schema, by `import type`. */
export function printResourceTypes(): string {
  const types = [...families.map(({ object }) => object), ...alsoPrinted].flatMap((object) => {
    const { data } = (operationNamed(`get_${object}`).output as { properties: { data: TSchema } }).properties;
    const [create, update] = ['create', 'update'].map((verb) => findOperation(`${verb}_${object}`)?.body);
    const name = typeName(object);
    return [
      `export type ${name} = ${typeText(data)};`,
      ...(create ? [`/** Of \`create_${object}\`. */\nexport type New${name} = ${typeText(create)};`] : []),
      ...(update
        ? [`/** Of \`update_${object}\`. */\nexport type Changed${name} = ${typeText(update)};`]
        : []),
    ];
  });
  return `${notice}\n\n${types.join('\n\n')}\n`;
}

/** What each event of an invoice tells. */
export function printEvents(): string {
  const texts = eventCatalog
    .filter(({ category }) => category === 'invoice')
    .map(({ name, description }) => `'${name}': ${JSON.stringify(description)}`);
  return `${notice}

export const invoiceEvents: Readonly<Record<string, { es: string; en: string }>> = {
${lines(texts)}};
`;
}
