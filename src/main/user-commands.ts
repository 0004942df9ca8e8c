import { isEmailAddress } from '../domain/email-address.ts';
import { inviteByOperator, resetByOperator, type Role, roles } from '../modules/people/index.ts';
import { type Command, readId, readOptions, withDatabase } from './command-options.ts';
import type { Config } from './config.ts';
import { CommandError } from './explain.ts';
import { say } from './terminal.ts';

export const userCommands: readonly Command[] = [
  {
    words: ['user', 'invite'],
    usage: `folio user invite --company COMPANY_ID --email ADDRESS --role ${roles.join('|')}`,
    help: 'Gives a person a role in a company: prints a link for somebody new, which opens once within 7 days.',
    async run(args, config) {
      const values = readOptions(
        args,
        { company: { type: 'string' }, email: { type: 'string' }, role: { type: 'string' } },
        ['company', 'email', 'role'],
      );
      const company_id = readId('company', values.company);
      const email = readEmail(values.email);
      const role = readRole(values.role);
      const read = config();
      const invited = await withDatabase(read, (db) =>
        inviteByOperator(db, { company_id, email, role }, new Date()),
      );
      if ('refused' in invited)
        throw new CommandError(
          {
            member: `${email} has a role in that company already.`,
            'no company': `There is no live company ${company_id}.`,
            'no owner':
              'The first person of a company is its owner: invite one with --role owner, and wait until they came.',
          }[invited.refused],
        );
      say('link' in invited ? `${addressOf(read)}/invitation/${invited.link}` : `${email} is a member now.`);
    },
  },
  {
    words: ['user', 'reset'],
    usage: 'folio user reset --email ADDRESS [--factors]',
    help: 'Prints a link to choose a new password, which opens once within an hour. With --factors it also forgets the second factors of somebody who lost them.',
    async run(args, config) {
      const values = readOptions(args, { email: { type: 'string' }, factors: { type: 'boolean' } }, [
        'email',
      ]);
      const drops_factors = values.factors === true;
      const email = readEmail(values.email);
      const read = config();
      const link = await withDatabase(read, (db) =>
        resetByOperator(db, email, new Date(), { drops_factors }),
      );
      if (link === undefined) throw new CommandError(`Nobody has the address ${email}.`);
      say(`${addressOf(read)}/reset/${link}`);
    },
  },
];

/** Where pages open, as far as a command knows. */
function addressOf({ FOLIO_PUBLIC_URL, HOST, PORT }: Config): string {
  return FOLIO_PUBLIC_URL ?? `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${PORT}`;
}

function readEmail(text: unknown): string {
  const email = String(text).trim();
  if (!isEmailAddress(email)) throw new CommandError('--email must be an e-mail address.');
  return email;
}

function readRole(text: unknown): Role {
  const role = roles.find((one) => one === text);
  if (!role) throw new CommandError(`--role must be one of ${roles.join(', ')}.`);
  return role;
}
