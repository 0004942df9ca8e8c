import { EmbeddedPostgresError } from 'embedded-postgres-server';
import { sqlStates } from '../kernel/sql-states.ts';
import { isUnreachable, isUntrusted } from '../platform/db.ts';
import { MigrationRefused, mayNotServe } from '../platform/migrate.ts';
import { FolderRefused } from '../platform/new-folder.ts';
import { CommandError } from './command-error.ts';
import { ConfigError } from './config.ts';
import { loginNameOf } from './login-names.ts';
import { StartError } from './start-error.ts';

type SystemError = { code?: string; message?: string; port?: number; address?: string };

/** @param login what names it */
const databaseSentences = (login: string): Record<string, string> => ({
  [sqlStates.wrong_password]: `The database refuses the user or password in ${login}.`,
  [sqlStates.wrong_user]: `The database refuses the user in ${login}.`,
  [sqlStates.no_such_database]: `The database named in ${login} does not exist: create it first.`,
  [sqlStates.not_allowed]: `The user in ${login} may not do what a migration needs`,
  [sqlStates.read_only_transaction]: `The database is read only: ${login} has to name the primary server, not a replica.`,
  [sqlStates.disk_full]: 'The disk of the database is full: make room there, and do it again.',
  [sqlStates.too_many_connections]:
    'The database has no connection left: raise its max_connections, or lower FOLIO_POOL_SIZE.',
});

/**
 * One sentence when the machine or the configuration is at fault. Undefined for a fault of ours, which keeps its
 * stack.
 */
export function explain(error: unknown): string | undefined {
  if (
    error instanceof ConfigError ||
    error instanceof CommandError ||
    error instanceof StartError ||
    error instanceof EmbeddedPostgresError ||
    error instanceof FolderRefused ||
    error instanceof MigrationRefused
  ) {
    return error.message;
  }
  const { code = '', message = '' } = (error ?? {}) as SystemError;
  const login = loginNameOf(error);
  const sentence = databaseSentences(login)[code];
  if (mayNotServe(error))
    return `The user in ${login} may not work as folio_service: grant folio_service to it.`;
  if (code === sqlStates.not_allowed) {
    return `${sentence} (${message}): it has to own the schema and may need to create the role folio_service once.`;
  }
  if (sentence) return sentence;
  if (isUntrusted(error)) {
    // What follows is advice about Node's own options.
    const [said] = message.split(';');
    return (
      `The certificate of the database is not accepted (${said}): ` +
      'renew it there, or name who signed it in NODE_EXTRA_CA_CERTS (docs/database.md).'
    );
  }
  if (isUnencrypted(message)) {
    return `The database ended the connection in place of encrypting it: check that it takes TLS (ssl = on), as sslmode in ${login} wants it.`;
  }
  if (isUnreachable(error) || /^(ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/.test(code)) {
    return `The database does not answer (${message || code}): check that it runs, and ${login}.`;
  }
  return undefined;
}

/** The driver begins TLS even with a server that says no to it, as one with `ssl = off` does. Node's words alone tell it. */
const isUnencrypted = (message: string): boolean => /before secure TLS connection/.test(message);

/** Returns an unknown error unchanged. */
export function explainListening(
  error: unknown,
  host: string,
  port: number,
  named = { host: 'HOST', port: 'PORT' },
): unknown {
  const sentences: Record<string, string> = {
    EADDRINUSE: `Port ${port} on ${host} is taken by another program: stop it, or set ${named.port} to another one.`,
    EACCES: `Port ${port} may not be used by this user: set ${named.port} to one above 1023.`,
    EADDRNOTAVAIL: `${named.host} ${host} is not an address of this machine.`,
    ENOTFOUND: `${named.host} ${host} is not known to this machine.`,
    EAI_AGAIN: `${named.host} ${host} is not known to this machine.`,
  };
  const sentence = sentences[(error as SystemError | null)?.code ?? ''];
  return sentence === undefined ? error : new StartError(sentence);
}
