/** What the commands of user-commands.ts do. Loaded when one of them runs. */
import type { Role } from '../kernel/roles.ts';
import { endGrantsBeyond } from '../modules/oauth/index.ts';
import { eraseByOperator, inviteByOperator, resetByOperator } from '../modules/people/index.ts';
import { makeSecretBox } from '../platform/secrets.ts';
import { printDone, withDatabase } from './command-answers.ts';
import { CommandError } from './command-error.ts';
import type { Config } from './config.ts';
import { serviceAddress } from './hints.ts';
import { secretKey } from './secret-key.ts';

export async function invite(
  { company, email, role }: { company: string; email: string; role: Role },
  config: Config,
  as_json: boolean,
): Promise<void> {
  const wish = { company_id: company, email, role };
  const invited = await withDatabase(config, (db) => inviteByOperator(db, wish, new Date()));
  if ('refused' in invited)
    throw new CommandError(
      {
        member: `${email} has a role in that company already.`,
        'no company': `There is no live company ${company}.`,
        'no owner':
          'The first person of a company is its owner: invite one with --role owner, and wait until they came.',
      }[invited.refused],
    );
  const link = 'link' in invited ? `${serviceAddress(config)}/invitation/${invited.link}` : null;
  printDone(link ?? `${email} is a member now.`, { ...wish, link }, as_json);
}

export async function reset(
  { email, factors }: { email: string; factors: boolean },
  config: Config,
  as_json: boolean,
): Promise<void> {
  const mail = config.FOLIO_SMTP_URL
    ? makeSecretBox(secretKey(config), config.FOLIO_SECRET_KEY_PREVIOUS)
    : null;
  const token = await withDatabase(config, (db) =>
    resetByOperator(db, email, new Date(), { drops_factors: factors, mail }),
  );
  if (token === undefined) throw nobodyHas(email);
  const link = `${serviceAddress(config)}/reset/${token}`;
  printDone(link, { email, link }, as_json);
}

export async function erase({ email }: { email: string }, config: Config, as_json: boolean): Promise<void> {
  const erased = await withDatabase(config, (db) => eraseByOperator(db, email, endGrantsBeyond, new Date()));
  if (!('refused' in erased)) {
    const companies = erased.left_companies === 1 ? '1 company' : `${erased.left_companies} companies`;
    printDone(`${email} is erased, and out of ${companies}.`, erased, as_json);
    return;
  }
  if (erased.refused === 'nobody') throw nobodyHas(email);
  const { company_ids } = erased;
  throw new CommandError(
    `${email} is the only owner of ${company_ids.join(', ')}, where others are left: give one of them --role owner first, or remove them.`,
  );
}

const nobodyHas = (email: string) => new CommandError(`Nobody has the address ${email}.`);
