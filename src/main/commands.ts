/** The commands of the command line: their words, options and help; each says what it did, as text or JSON. */
import { parseArgs } from 'node:util';
import { scopeFault } from '../modules/api-keys/index.ts';
import { type PlanName, planNames, planModules } from '../kernel/plans.ts';
import { isApiVersion, apiVersions } from '../kernel/versions.ts';
import { isUuid } from '../kernel/uuid7.ts';
import {
  boostCompany,
  CompanyRefused,
  createCompany,
  createOperatorKey,
  listCompanies,
  revokeOperatorKey,
  setPlan,
} from '../modules/companies/index.ts';
import type { Database } from '../platform/db.ts';
import type { Config } from './config.ts';
import { findDatabase, migrateDatabase } from './database.ts';
import { CommandError } from './explain.ts';
import { serve } from './serve.ts';

export type Command = {
  words: readonly string[];
  usage: string;
  help: string;
  run(args: string[], config: () => Config): Promise<void>;
};

type Options = Record<string, { type: 'string' | 'boolean'; multiple?: boolean }>;

function readOptions(args: string[], options: Options, required: readonly string[] = []) {
  let values: Record<string, string | boolean | (string | boolean)[] | undefined>;
  try {
    ({ values } = parseArgs({ args, options, strict: true, allowPositionals: false }));
  } catch (error) {
    throw new CommandError((error as Error).message.replace(/\. To specify.*$/s, '.'));
  }
  const missing = required.filter((name) => values[name] === undefined);
  if (missing.length > 0) throw new CommandError(`Missing ${missing.map((m) => `--${m}`).join(', ')}.`);
  return values;
}

function readPlan(option: 'plan' | 'tier', text: unknown): PlanName {
  const plan = planNames.find((p) => p === text);
  if (!plan) throw new CommandError(`--${option} must be one of ${planNames.join(', ')}.`);
  return plan;
}

function readId(name: string, text: unknown): string {
  if (typeof text !== 'string' || !isUuid(text)) throw new CommandError(`--${name} must be an id (a UUID).`);
  return text.toLowerCase();
}

function readInstant(name: string, text: unknown): Date {
  const instant = new Date(String(text));
  if (
    !/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)$/.test(String(text)) ||
    Number.isNaN(instant.getTime())
  ) {
    throw new CommandError(`--${name} must be an instant, for example 2026-12-31T23:00:00Z.`);
  }
  return instant;
}

function readApiVersion(text: unknown): string | null {
  if (text === undefined) return null;
  if (typeof text !== 'string' || !isApiVersion(text))
    throw new CommandError(`--api-version must be one of ${apiVersions.join(', ')}.`);
  return text;
}

/** A command that borrows the database of a running service says nothing about it: its output is the answer. */
const quiet = () => undefined;

/** Runs work on the migrated database, beside a service that may be running on it. */
async function withDatabase<T>(config: Config, work: (db: Database) => Promise<T>): Promise<T> {
  const handle = await findDatabase(config, quiet);
  try {
    await migrateDatabase(handle);
    const db = handle.open('folio cli');
    try {
      return await work(db);
    } catch (error) {
      throw error instanceof CompanyRefused ? new CommandError(error.message) : error;
    } finally {
      await db.close();
    }
  } finally {
    await handle.stop();
  }
}

function print(result: Record<string, unknown> | Record<string, unknown>[], as_json: boolean): void {
  if (as_json) {
    process.stdout.write(`${JSON.stringify(result)}\n`);
    return;
  }
  for (const row of Array.isArray(result) ? result : [result]) {
    const width = Math.max(...Object.keys(row).map((k) => k.length));
    for (const [name, value] of Object.entries(row))
      process.stdout.write(`${name.padEnd(width)}  ${value ?? '-'}\n`);
    process.stdout.write('\n');
  }
}

export const commands: readonly Command[] = [
  {
    words: ['serve'],
    usage: 'folio serve [--role all|api|worker]',
    help: 'Starts the service: API and worker in one process unless --role splits them.',
    async run(args, config) {
      const { role = 'all' } = readOptions(args, { role: { type: 'string' } });
      if (role !== 'all' && role !== 'api' && role !== 'worker')
        throw new CommandError('--role must be all, api or worker.');
      await serve(config(), role);
    },
  },
  {
    words: ['migrate'],
    usage: 'folio migrate',
    help: 'Brings the database up to date and says what was applied.',
    async run(args, config) {
      readOptions(args, {});
      const handle = await findDatabase(config(), quiet);
      try {
        const applied = await migrateDatabase(handle);
        process.stdout.write(
          applied.length === 0 ? 'The database is up to date.\n' : `Applied ${applied.join(', ')}.\n`,
        );
      } finally {
        await handle.stop();
      }
    },
  },
  {
    words: ['company', 'create'],
    usage:
      'folio company create --name NAME --tax-id NIF [--plan PLAN] [--parent COMPANY_ID] [--api-version DATE] [--json]',
    help: 'Makes a company with its sandbox and prints their ids and first keys. With --parent, a child company.',
    async run(args, config) {
      const values = readOptions(
        args,
        {
          name: { type: 'string' },
          'tax-id': { type: 'string' },
          plan: { type: 'string' },
          parent: { type: 'string' },
          'api-version': { type: 'string' },
          json: { type: 'boolean' },
        },
        ['name', 'tax-id'],
      );
      const request = {
        name: String(values.name),
        tax_id: String(values['tax-id']),
        plan: readPlan('plan', values.plan ?? 'free'),
        parent_id: values.parent === undefined ? null : readId('parent', values.parent),
        api_version: readApiVersion(values['api-version']),
      };
      print(
        await withDatabase(config(), (db) => createCompany(db, request, new Date())),
        values.json === true,
      );
    },
  },
  {
    words: ['company', 'list'],
    usage: 'folio company list [--json]',
    help: 'Lists the live companies.',
    async run(args, config) {
      const { json } = readOptions(args, { json: { type: 'boolean' } });
      print(await withDatabase(config(), listCompanies), json === true);
    },
  },
  {
    words: ['company', 'plan'],
    usage: 'folio company plan --company COMPANY_ID --plan PLAN',
    help: 'Changes the plan of a company.',
    async run(args, config) {
      const values = readOptions(args, { company: { type: 'string' }, plan: { type: 'string' } }, [
        'company',
        'plan',
      ]);
      const company_id = readId('company', values.company);
      const plan = readPlan('plan', values.plan);
      await withDatabase(config(), (db) => setPlan(db, company_id, plan, new Date()));
      process.stdout.write('The plan was changed.\n');
    },
  },
  {
    words: ['company', 'boost'],
    usage: 'folio company boost --company COMPANY_ID --tier TIER --until INSTANT',
    help: 'Lifts the tier of a company until an instant, for example 2026-12-31T23:00:00Z.',
    async run(args, config) {
      const values = readOptions(
        args,
        { company: { type: 'string' }, tier: { type: 'string' }, until: { type: 'string' } },
        ['company', 'tier', 'until'],
      );
      const company_id = readId('company', values.company);
      const tier = readPlan('tier', values.tier);
      const until = readInstant('until', values.until);
      if (until <= new Date()) throw new CommandError('--until must lie in the future.');
      await withDatabase(config(), (db) => boostCompany(db, company_id, tier, until, new Date()));
      process.stdout.write('The boost is in force.\n');
    },
  },
  {
    words: ['key', 'create'],
    usage:
      'folio key create --company COMPANY_ID [--environment live|test] [--name NAME] [--scope SCOPE ...] [--api-version DATE] [--json]',
    help: 'Makes a key of a company; every scope (*) when none is named.',
    async run(args, config) {
      const values = readOptions(
        args,
        {
          company: { type: 'string' },
          environment: { type: 'string' },
          name: { type: 'string' },
          scope: { type: 'string', multiple: true },
          'api-version': { type: 'string' },
          json: { type: 'boolean' },
        },
        ['company'],
      );
      const environment = values.environment ?? 'live';
      if (environment !== 'live' && environment !== 'test')
        throw new CommandError('--environment must be live or test.');
      const scopes = [...new Set((values.scope as string[] | undefined) ?? ['*'])];
      const name = String(values.name ?? 'Clave del operador').trim();
      if (name === '' || name.length > 120) throw new CommandError('--name must have 1 to 120 characters.');
      const request = {
        company_id: readId('company', values.company),
        environment,
        scopes,
        name,
        api_version: readApiVersion(values['api-version']),
      } as const;
      const check = (plan: PlanName) => {
        const fault = scopeFault(scopes, planModules(plan), environment);
        if (fault)
          throw new CommandError(
            `${fault.def.code}: ${fault.issues.map((i) => scopes[Number(i.param.split('.')[1])]).join(', ')}`,
          );
      };
      print(
        await withDatabase(config(), (db) => createOperatorKey(db, request, check, new Date())),
        values.json === true,
      );
    },
  },
  {
    words: ['key', 'revoke'],
    usage: 'folio key revoke --company COMPANY_ID --key KEY_ID',
    help: 'Revokes a key at once.',
    async run(args, config) {
      const values = readOptions(args, { company: { type: 'string' }, key: { type: 'string' } }, [
        'company',
        'key',
      ]);
      const ids = { company_id: readId('company', values.company), key_id: readId('key', values.key) };
      await withDatabase(config(), (db) => revokeOperatorKey(db, ids, new Date()));
      process.stdout.write('The key is revoked.\n');
    },
  },
];

export const helpText = [
  'folio: invoicing service for companies in Spain.',
  '',
  ...commands.flatMap((c) => [`  ${c.usage}`, `      ${c.help}`]),
  '',
  'Configuration is by environment; docs/configuration.md lists it.',
].join('\n');
