/** What the commands of key-commands.ts do. Loaded when one of them runs. */
import type { Environment } from '../kernel/operation.ts';
import { type PlanName, planModules } from '../kernel/plans.ts';
import { scopeFault } from '../modules/api-keys/index.ts';
import { createOperatorKey, listOperatorKeys, revokeOperatorKey } from '../modules/companies/index.ts';
import { print, printDone, withDatabase } from './command-answers.ts';
import { CommandError } from './command-error.ts';
import type { Config } from './config.ts';

type NewKey = {
  company: string;
  environment: Environment;
  name: string | undefined;
  scope: readonly string[];
  'api-version': string | undefined;
};

export async function makeKey(values: NewKey, config: Config, as_json: boolean): Promise<void> {
  const { environment } = values;
  const scopes = [...new Set(values.scope.length === 0 ? ['*'] : values.scope)];
  const request = {
    company_id: values.company,
    environment,
    scopes,
    name: values.name ?? 'Clave del operador',
    api_version: values['api-version'] ?? null,
  };
  const check = (plan: PlanName) => {
    const fault = scopeFault(scopes, planModules(plan), environment);
    if (!fault) return;
    const { code, message } = fault.def;
    const refused = fault.issues.map((i) => scopes[Number(i.param.split('.')[1])]).join(', ');
    throw new CommandError(`${code}: ${refused}. ${message.en} docs/scopes.md lists all.`);
  };
  const made = await withDatabase(config, (db) => createOperatorKey(db, request, check, new Date()));
  print(made, as_json);
}

export async function tellKeys(
  { company, all }: { company: string; all: boolean },
  config: Config,
  as_json: boolean,
): Promise<void> {
  const keys = await withDatabase(config, (db) => listOperatorKeys(db, company, new Date()));
  print(all ? keys : keys.filter(({ is_in_force }) => is_in_force), as_json);
}

export async function revokeKey(
  { company, key }: { company: string; key: string },
  config: Config,
  as_json: boolean,
): Promise<void> {
  await withDatabase(config, (db) => revokeOperatorKey(db, { company_id: company, key_id: key }, new Date()));
  printDone('The key is revoked.', { company_id: company, id: key, revoked: true }, as_json);
}
