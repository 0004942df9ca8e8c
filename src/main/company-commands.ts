import { planNames } from '../kernel/plans.ts';
import { type Command, defineCommand, flag, needed, oneOf, optional, refuse } from './command.ts';
import { sampleAddress } from './hints.ts';
import { apiVersion, readId, readInstant } from './option-readers.ts';

const company = needed('COMPANY_ID', 'Id of the live company.', readId);

export const companyCommands: readonly Command[] = [
  defineCommand({
    words: ['company', 'create'],
    help: 'Makes a company with its sandbox and prints their ids and first keys.',
    examples: [
      `folio company create --name "Acme SL" --tax-id B12345674 --plan scale --address '${sampleAddress}'`,
    ],
    options: {
      name: needed('NAME', 'Its name, as documents print it.'),
      'tax-id': needed('NIF', 'Its Spanish tax id.'),
      address: optional('JSON', "Its address as the API's; full invoices state it."),
      plan: oneOf('PLAN', planNames, 'Its plan.', 'free'),
      parent: optional('COMPANY_ID', 'The company that it is a child of.', readId),
      'api-version': apiVersion('Version of the API that its keys are pinned to.'),
      'allow-duplicate': flag('Makes it although another live company has the tax id; nobody is asked.'),
    },
    async run(values, { config, as_json }) {
      await (await import('./company-runs.ts')).makeCompany(values, config, as_json);
    },
  }),
  defineCommand({
    words: ['company', 'list'],
    help: 'Lists the live companies.',
    async run(_, { config, as_json }) {
      await (await import('./company-runs.ts')).tellCompanies(config(), as_json);
    },
  }),
  defineCommand({
    words: ['company', 'show'],
    help: 'Shows a company: its plan, address and keys in force.',
    options: { company },
    async run(values, { config, as_json }) {
      await (await import('./company-runs.ts')).tellCompany(values.company, config(), as_json);
    },
  }),
  defineCommand({
    words: ['company', 'plan'],
    help: 'Changes the plan of a company.',
    options: { company, plan: oneOf('PLAN', planNames, 'The plan from now on.') },
    async run(values, { config, as_json }) {
      await (await import('./company-runs.ts')).changePlan(values.company, values.plan, config(), as_json);
    },
  }),
  defineCommand({
    words: ['company', 'boost'],
    help: 'Lifts the tier of a company until an instant, for example 2026-12-31T23:00:00Z.',
    options: {
      company,
      tier: oneOf('TIER', planNames, 'The plan whose limits it has meanwhile.'),
      until: needed('INSTANT', 'When it ends.', (text) => {
        const until = readInstant(text);
        return until > new Date() ? until : refuse('must lie in the future.');
      }),
    },
    async run(values, { config, as_json }) {
      await (await import('./company-runs.ts')).boost(values, config(), as_json);
    },
  }),
];
