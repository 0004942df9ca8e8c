/** What the commands of company-commands.ts do. Loaded when one of them runs. */
import { createInterface } from 'node:readline/promises';
import { Address } from '../domain/address.ts';
import { countryCodes } from '../domain/countries.ts';
import { checkSchema } from '../kernel/check.ts';
import type { PlanName } from '../kernel/plans.ts';
import {
  boostCompany,
  createCompany,
  findByTaxId,
  listCompanies,
  setPlan,
  showCompany,
} from '../modules/companies/index.ts';
import type { Database } from '../platform/db.ts';
import { print, printDone, withDatabase } from './command-answers.ts';
import { CommandError, UsageError } from './command-error.ts';
import type { Config } from './config.ts';
import { sampleAddress } from './hints.ts';
import { forTerminal } from './terminal.ts';

type NewCompany = {
  name: string;
  'tax-id': string;
  address: string | undefined;
  plan: PlanName;
  parent: string | undefined;
  'api-version': string | undefined;
  'allow-duplicate': boolean;
};

/** As the API takes and checks it. */
function readAddress(text: string): Record<string, unknown> {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    read = undefined;
  }
  if (read === null || typeof read !== 'object' || Array.isArray(read))
    throw new UsageError(`--address must be a JSON object, for example ${sampleAddress}.`);
  const [issue] = checkSchema(Address, read);
  if (issue) throw new UsageError(`--address: ${issue.param}: ${issue.message}`);
  const { country } = read as { country?: string | null };
  if (country && !countryCodes.has(country))
    throw new UsageError('--address: country: No es un código de país ISO 3166-1.');
  return read as Record<string, unknown>;
}

export async function makeCompany(values: NewCompany, config: () => Config, as_json: boolean): Promise<void> {
  const request = {
    name: values.name,
    tax_id: values['tax-id'],
    address: values.address === undefined ? null : readAddress(values.address),
    plan: values.plan,
    parent_id: values.parent ?? null,
    api_version: values['api-version'] ?? null,
  };
  const made = await withDatabase(config(), async (db) => {
    if (!values['allow-duplicate']) await askOfDuplicate(db, request.tax_id);
    return createCompany(db, request, new Date());
  });
  print(made, as_json);
}

/**
 * Two companies of one tax id have two chains of records at the authority, which is seldom meant.
 * @throws CommandError unless there is none, or somebody at the terminal wants it
 */
async function askOfDuplicate(db: Database, tax_id: string): Promise<void> {
  const found = await findByTaxId(db, tax_id);
  if (!found) return;
  const fact = `${forTerminal(found.name ?? '')} (${found.company_id}) has the tax id ${found.tax_id} already.`;
  if (process.stdin.isTTY && process.stderr.isTTY) {
    const asking = createInterface({ input: process.stdin, output: process.stderr });
    // Ctrl-C and Ctrl-D are an answer too.
    const answer = await asking.question(`${fact} Make another company with it? [y/N] `).catch(() => {
      process.stderr.write('\n');
      return '';
    });
    asking.close();
    if (/^y(es)?$/i.test(answer.trim())) return;
    throw new CommandError('No company was made.');
  }
  throw new CommandError(`${fact} --allow-duplicate makes another company with it.`);
}

export async function tellCompanies(config: Config, as_json: boolean): Promise<void> {
  print(await withDatabase(config, listCompanies), as_json);
}

export async function tellCompany(company_id: string, config: Config, as_json: boolean): Promise<void> {
  print(await withDatabase(config, (db) => showCompany(db, company_id, new Date())), as_json);
}

export async function changePlan(
  company_id: string,
  plan: PlanName,
  config: Config,
  as_json: boolean,
): Promise<void> {
  await withDatabase(config, (db) => setPlan(db, company_id, plan, new Date()));
  printDone('The plan was changed.', { company_id, plan }, as_json);
}

export async function boost(
  { company, tier, until }: { company: string; tier: PlanName; until: Date },
  config: Config,
  as_json: boolean,
): Promise<void> {
  await withDatabase(config, (db) => boostCompany(db, company, tier, until, new Date()));
  printDone('The boost is in force.', { company_id: company, tier, until }, as_json);
}
