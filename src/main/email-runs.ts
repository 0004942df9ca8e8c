/** What the commands of email-commands.ts do. Loaded when one of them runs. */
import { makeMessageIds, type BounceOutcome, recordBounce } from '../modules/emails/index.ts';
import { emailedDocumentsOf, families } from '../modules/families.ts';
import { systemClock } from '../platform/clock.ts';
import { makeSecretBox } from '../platform/secrets.ts';
import { serviceSecret } from '../platform/service-secrets.ts';
import { print, withDatabase } from './command-answers.ts';
import { CommandError } from './command-error.ts';
import type { Config } from './config.ts';
import { explain } from './explain.ts';
import { messageIdSecret } from './ports.ts';
import { secretKey } from './secret-key.ts';
import { complain, say } from './terminal.ts';

/** A notice may quote the whole message, PDF included. */
const noticeMax = 25 * 1024 * 1024;
/** EX_TEMPFAIL of sysexits.h: the mail system hands the notice over again. */
const tryAgain = 75;

async function readNotice(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > noticeMax) throw new CommandError('What came on the standard input is too long for a notice.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function record(config: Config, notice: Buffer): Promise<BounceOutcome> {
  return withDatabase(config, async (db) => {
    const secrets = makeSecretBox(secretKey(config), config.FOLIO_SECRET_KEY_PREVIOUS);
    const { keys } = await serviceSecret(db.index, secrets, messageIdSecret);
    const ports = { message_ids: makeMessageIds(keys) };
    return recordBounce({ db, clock: systemClock, ports, documents: emailedDocumentsOf(families) }, notice);
  });
}

const said: Record<BounceOutcome['kind'], string> = {
  no_notice: 'This is no delivery status notification: nothing was changed.',
  unknown: 'This is about no message of this installation: nothing was changed.',
  no_failure: 'Nobody failed to get the message: nothing was changed.',
  known_already: 'This was known already: nothing was changed.',
  recorded: 'Recorded: recipients did not get the message.',
};

export async function recordNotice(config: () => Config, as_json: boolean): Promise<void> {
  const notice = await readNotice();
  let outcome: BounceOutcome;
  try {
    outcome = await record(config(), notice);
  } catch (error) {
    complain(`folio: ${explain(error) ?? String(error)}`);
    process.exitCode = tryAgain;
    return;
  }
  if (as_json) return print(outcome, true);
  say(said[outcome.kind]);
  if ('email' in outcome)
    say(`E-mail ${outcome.email.id} of company ${outcome.email.company_id}: ${outcome.status}.`);
}
