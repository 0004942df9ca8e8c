import { scopeFault } from '../modules/api-keys/index.ts';
import { type PlanName, planModules } from '../kernel/plans.ts';
import { isLongerThan } from '../kernel/text-length.ts';
import {
  boostCompany,
  createCompany,
  createOperatorKey,
  listCompanies,
  revokeOperatorKey,
  setPlan,
} from '../modules/companies/index.ts';
import { backupCommands } from './backup-commands.ts';
import {
  type Command,
  print,
  quiet,
  readAddress,
  readApiVersion,
  readId,
  readInstant,
  readOptions,
  readPlan,
  withDatabase,
} from './command-options.ts';
import { findDatabase, migrateDatabase } from './database.ts';
import { emailCommands } from './email-commands.ts';
import { CommandError } from './explain.ts';
import { receiverCommands } from './receiver-commands.ts';
import { userCommands } from './user-commands.ts';
import { verifactuCommands } from './verifactu-commands.ts';

export const commands: readonly Command[] = [
  {
    words: ['serve'],
    usage: 'folio serve [--role all|api|worker]',
    help: 'Starts the service: API and worker in one process unless --role splits them.',
    async run(args, config) {
      const { role = 'all' } = readOptions(args, { role: { type: 'string' } });
      if (role !== 'all' && role !== 'api' && role !== 'worker')
        throw new CommandError('--role must be all, api or worker.');
      // Loaded only here: no other command needs the whole service.
      const { serve } = await import('./serve.ts');
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
      'folio company create --name NAME --tax-id NIF [--address JSON] [--plan PLAN] [--parent COMPANY_ID] [--api-version DATE] [--json]',
    help: "Makes a company with its sandbox and prints their ids and first keys. --address is the API's, which full invoices state. With --parent, a child company.",
    async run(args, config) {
      const values = readOptions(
        args,
        {
          name: { type: 'string' },
          'tax-id': { type: 'string' },
          address: { type: 'string' },
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
        address: values.address === undefined ? null : readAddress(values.address),
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
      if (name === '' || isLongerThan(name, 120))
        throw new CommandError('--name must have 1 to 120 characters.');
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
  ...userCommands,
  ...emailCommands,
  ...verifactuCommands,
  ...receiverCommands,
  ...backupCommands,
];

export const helpText = [
  'folio: invoicing service for companies in Spain.',
  '',
  ...commands.flatMap((c) => [`  ${c.usage}`, `      ${c.help}`]),
  '',
  'Configuration is by environment; docs/configuration.md lists it.',
].join('\n');
