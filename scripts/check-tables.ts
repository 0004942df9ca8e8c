/**
 * SQL names only tables of its own module: the one that begins the table's name (`quotes` and `quote_lines`
 * belong to `quotes`), or the one listed here. Other modules get a function or a piece of SQL from its
 * index.ts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withoutComments } from './read-imports.ts';
import { lineOf, report, root, sourcesIn } from './source-files.ts';

/** Who else may name a table: modules, or layers other than modules/. */
const owners: Record<string, readonly string[]> = {
  // The company's row is the tenant: platform reads clock, plan and modes from it with every call.
  companies: ['platform', 'companies'],
  company_children: ['platform', 'companies'],
  // Written by platform during a call, shown to users by modules.
  api_keys: ['platform', 'api-keys'],
  credentials: ['platform', 'api-keys', 'oauth'],
  oauth_grants: ['platform', 'oauth'],
  events: ['platform', 'events'],
  audit_log: ['platform', 'audit'],
  request_logs: ['platform', 'audit'],
  rate_windows: ['platform'],
  idempotency_keys: ['platform'],
  due_work: ['platform'],
  watched: ['platform'],
  jobs: ['platform'],
  service_secrets: ['platform'],
  schema_migrations: ['platform'],
  // Made with the company. Head of its chain of records; also counts what was issued.
  issuing_heads: ['companies', 'verifactu'],
  verifactu_simulated: ['integrations'],
  // Of all families.
  document_links: ['sales'],
  recurring_occurrences: ['recurring-invoices'],
  acceptances: ['offers'],
  users: ['people'],
  user_emails: ['people'],
  user_companies: ['people'],
  members: ['people'],
  sessions: ['people'],
  account_links: ['people'],
  invitations: ['people'],
  account_emails: ['people'],
  account_entries: ['people'],
  user_passkeys: ['people'],
  user_recovery_codes: ['people'],
  passkey_challenges: ['people'],
  sign_in_tries: ['people'],
};

/** @returns one line per violation, sorted */
export function checkTables(src: string, migrations: string): string[] {
  const modules = readdirSync(join(src, 'modules'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const found: string[] = [];
  const ownersOf = new Map<string, readonly string[]>();
  for (const { table, at } of tablesIn(migrations)) {
    const named = owners[table] ?? ownerByName(table, modules);
    if (named) ownersOf.set(table, named);
    else
      found.push(
        `${at} ${table} has no owner: begin its name with a module's, or list it in scripts/check-tables.ts`,
      );
  }
  for (const file of sourcesIn(src)) {
    if (file.endsWith('.test.ts')) continue;
    const text = withoutComments(readFileSync(join(src, file), 'utf8'));
    const place = placeOf(file);
    for (const { table, index } of tablesNamed(text)) {
      const named = ownersOf.get(table);
      if (named && !named.includes(place))
        found.push(`src/${file}:${lineOf(text, index)} names ${table}, a table of ${named.join(' and ')}`);
    }
  }
  return found.sort();
}

function tablesIn(migrations: string): { table: string; at: string }[] {
  const tables = new Map<string, string>();
  for (const file of readdirSync(migrations).sort()) {
    if (!file.endsWith('.sql')) continue;
    const text = readFileSync(join(migrations, file), 'utf8');
    for (const { 1: table, index } of text.matchAll(/^create table (?:if not exists )?(\w+)/gim))
      if (table !== undefined && !tables.has(table))
        tables.set(table, `migrations/${file}:${lineOf(text, index)}`);
  }
  return [...tables].map(([table, at]) => ({ table, at }));
}

/** The module whose name, or its singular, begins the table's name; the longest one counts. */
function ownerByName(table: string, modules: readonly string[]): [string] | undefined {
  const fits = modules.filter((module) => {
    const many = module.replaceAll('-', '_');
    const one = many.replace(/ies$/, 'y').replace(/s$/, '');
    return [many, one].some((name) => table === name || table.startsWith(`${name}_`));
  });
  const longest = fits.toSorted((a, b) => b.length - a.length)[0];
  return longest === undefined ? undefined : [longest];
}

/** The module of a file, or else its layer. */
function placeOf(file: string): string {
  const [layer = '', module = '', ...rest] = file.split('/');
  return layer === 'modules' && rest.length > 0 ? module : layer;
}

/** `quotes`, `only "quotes" as q`, `public.quotes q`. */
const place = String.raw`(?:only\s+)?(?:public\.)?"?\w+"?(?:\s+(?:as\s+)?(?!(?:join|using|from|into|update)\b)\w+)?`;

/**
 * SQL words that tables follow, with what follows: one place, or several with commas between them. A list after a
 * parenthesis is not read.
 */
const places = new RegExp(
  String.raw`\b(?:from|join|into|update|using|lock table|truncate table|truncate)\s+(${place}(?:\s*,\s*${place})*)`,
  'gi',
);

/** Texts that become a table's name: of the helpers that write SQL, and of the driver. */
const texts =
  /\b(?:insertRows|insertMarked|updateRow|removeRow|readCreatedIds)\([^'"`;]*'(\w+)'|\b(?:table|row|company_row): '(\w+)'|\b(?:tx|sql|db)\('(\w+)'\)/g;

function tablesNamed(text: string): { table: string; index: number }[] {
  const named = [...text.matchAll(places)].flatMap(({ 1: list = '', index }) =>
    list.split(',').map((one) => ({ table: firstWord(one), index })),
  );
  const told = [...text.matchAll(texts)].map((match) => ({
    table: match[1] ?? match[2] ?? match[3] ?? '',
    index: match.index,
  }));
  return [...named, ...told];
}

function firstWord(place: string): string {
  return (/^\s*(?:only\s+)?(?:public\.)?"?(\w+)/i.exec(place)?.[1] ?? '').toLowerCase();
}

if (import.meta.main) report(checkTables(join(root, 'src'), join(root, 'migrations')));
