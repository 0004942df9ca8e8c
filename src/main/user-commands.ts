import { isEmailAddress } from '../domain/email-address.ts';
import { roles } from '../kernel/roles.ts';
import { type Command, defineCommand, flag, needed, oneOf, type Reader, refuse } from './command.ts';
import { readId } from './option-readers.ts';

const readEmail: Reader<string> = (text) =>
  isEmailAddress(text.trim()) ? text.trim() : refuse('must be an e-mail address.');

export const userCommands: readonly Command[] = [
  defineCommand({
    words: ['user', 'invite'],
    help: 'Gives a person a role in a company: prints a link for somebody new, which opens once within 7 days.',
    options: {
      company: needed('COMPANY_ID', 'Id of the live company.', readId),
      email: needed('ADDRESS', 'Address of the person.', readEmail),
      role: oneOf('ROLE', roles, 'What the person may do.'),
    },
    async run(values, { config, as_json }) {
      await (await import('./user-runs.ts')).invite(values, config(), as_json);
    },
  }),
  defineCommand({
    words: ['user', 'reset'],
    help: 'Prints a link to choose a new password, which opens once within an hour.',
    options: {
      email: needed('ADDRESS', 'Address of the person.', readEmail),
      factors: flag(
        'Also forgets the second factors of somebody who lost them, and the password: until the link is used nobody signs in.',
      ),
    },
    async run(values, { config, as_json }) {
      await (await import('./user-runs.ts')).reset(values, config(), as_json);
    },
  }),
  defineCommand({
    words: ['user', 'erase'],
    help: 'Erases an account for good: takes the person out of their companies, and deletes name, address, password, factors and sessions. Companies stay, with their audit logs and keys.',
    options: { email: needed('ADDRESS', 'Address of the person.', readEmail) },
    async run(values, { config, as_json }) {
      await (await import('./user-runs.ts')).erase(values, config(), as_json);
    },
  }),
];
