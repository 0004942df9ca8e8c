/**
 * Configuration comes from the environment, and from files that it names (environment.ts). The start refuses wrong
 * values and unknown FOLIO_* names. docs/configuration.md and .env.example are printed from `settings`.
 */
import { isEmailAddress } from '../domain/email-address.ts';
import { parseSpanishTaxId } from '../domain/spain/tax-id.ts';
import type { BlobPlace } from '../integrations/blobs/blob-place.ts';
import type { SmtpServer } from '../integrations/smtp/smtp-url.ts';
import { isLongerThan } from '../kernel/text-length.ts';
import type { RateTable } from '../platform/rate-limit.ts';
import { ConfigError, fileOf, withSecretFiles } from './environment.ts';
import {
  type Setting,
  secret,
  refuse,
  text,
  host,
  folder,
  oneOf,
  integer,
  address,
  databaseAddress,
  publicAddress,
  readOrigins,
  addresses,
  readBlobs,
  readContacts,
  readSmtp,
  readRates,
} from './setting.ts';

export { ConfigError };

export const settings = {
  PORT: integer(0, 65_535, '3000', 'Port the API listens on; 0 lets the system choose.'),
  HOST: host('Address the API listens on.', '127.0.0.1'),
  DATABASE_URL: secret(
    databaseAddress(
      'PostgreSQL 15 or newer to use instead of the embedded one. Its user is a member of the role folio_service and owns nothing; without DATABASE_MIGRATION_URL it owns the schema or may create it.',
    ),
  ),
  DATABASE_MIGRATION_URL: secret(
    databaseAddress(
      'The same database for migrations, without PgBouncer, as a user who owns the schema or may create it. A process without it starts on a database that is up to date.',
    ),
  ),
  DATABASE_DIRECT_URL: secret(
    databaseAddress(
      'The same database without PgBouncer, for migrations and LISTEN. When set, DATABASE_URL is taken to be a pool in transaction mode.',
    ),
  ),
  FOLIO_DATA_DIR: folder('Folder of the embedded database, the secret key and the blobs.', '.data'),
  FOLIO_BLOB_URL: secret({
    default: null,
    help: 'Where printed documents and the scans of purchases are kept: `file:///folder`, or a bucket of a store that speaks S3 as `s3:https://ACCESS_KEY:SECRET@host/bucket/prefix?region=eu-west-1`, access key and secret percent-encoded. Default: the folder blobs within FOLIO_DATA_DIR; processes that share neither folder nor bucket print for themselves, and read no scan that another one took. Scans are no cache: back them up.',
    read: readBlobs,
  }),
  FOLIO_PUBLIC_URL: publicAddress(
    'Address under which callers and their customers reach the service; used in links. Default: where it listens, which customers cannot open; needed where e-mails are sent (FOLIO_SMTP_URL), where the worker is a process of its own, and behind a proxy that changes Host: quotes are answered only from a page of this address. It is the issuer of OAuth tokens, so people open the service by it.',
  ),
  FOLIO_SECRET_KEY: secret(
    text(
      'Encrypts secrets at rest, 32 characters or more. With the embedded database one is made at the first start and kept in the data folder.',
    ),
  ),
  FOLIO_SECRET_KEY_PREVIOUS: secret(text('The key being rotated out: still read with, never written with.')),
  FOLIO_RATE_LIMITS: {
    default: 'default',
    help: 'Requests a minute by plan, [reads, writes]: default, off, or JSON such as {"scale":[6000,3000]}.',
    read: readRates,
  },
  FOLIO_API_KEYS_MAX: integer(
    2,
    10_000,
    '50',
    'API keys in force that a company may have, those of its sandbox included.',
  ),
  FOLIO_TRUSTED_PROXIES: addresses(
    'Addresses or CIDR ranges whose X-Forwarded-For is believed, separated by commas.',
  ),
  FOLIO_EGRESS_IPS: addresses(
    'Addresses that webhook deliveries go out from, separated by commas; published at /v1/webhook_source_ips.',
  ),
  FOLIO_WEBHOOK_ALLOWED_RANGES: addresses(
    'Addresses or CIDR ranges that may receive webhooks although they are not public, separated by commas.',
  ),
  FOLIO_OAUTH_ALLOWED_RANGES: addresses(
    'Addresses or CIDR ranges that may hold documents of OAuth clients although they are not public, separated by commas. Whoever signs in may have any of them fetched.',
  ),
  FOLIO_MCP_LEGACY: oneOf(
    ['off', 'api_keys'],
    'off',
    'Whether /mcp answers clients of the revisions before 2026-07-28, which sign in with a key; OAuth tokens never.',
  ),
  FOLIO_MCP_ORIGINS: {
    default: '',
    help: 'Origins of pages that may call /mcp from a browser, besides that of the service, separated by commas; as `https://agent.example`.',
    read: readOrigins,
  },
  FOLIO_SIGN_UP: oneOf(
    ['invited', 'open'],
    'invited',
    'Who may make an account: whoever is invited, or anybody who confirms an address, which needs FOLIO_SMTP_URL.',
  ),
  FOLIO_SECURITY_CONTACT: {
    default: '',
    help: 'Whom to tell of a weakness of this service, separated by commas: `mailto:security@example.com` or an address that begins with `https://`. Published at /.well-known/security.txt; without it there is no such page.',
    read: readContacts,
  },
  FOLIO_SMTP_URL: secret({
    default: null,
    help: 'Mail server that e-mails are sent through: `smtp://USER:PASSWORD@host:587`, or `smtps:` for TLS from the first byte; user and password percent-encoded. Options in docs/email.md. Without it e-mails are kept in the outbox and not sent.',
    read: readSmtp,
  }),
  FOLIO_MAIL_FROM: {
    default: null,
    help: 'Address that e-mails come from, and that undeliverable ones return to; set together with FOLIO_SMTP_URL.',
    read: (value) =>
      isEmailAddress(value) && /^[\x21-\x7e]+$/.test(value)
        ? value
        : refuse('must be an e-mail address in ASCII, without a name'),
  },
  FOLIO_AEAT: oneOf(
    ['none', 'preproduction', 'production'],
    'none',
    'Tax authority that live companies send their records to. With none they are kept pending; sandbox companies always have the simulator.',
  ),
  FOLIO_AEAT_CERTIFICATE: text(
    'PKCS#12 file of the service, with which it sends and signs for companies that it represents.',
  ),
  FOLIO_AEAT_CERTIFICATE_PASSWORD: secret(text('Password of that file.')),
  FOLIO_AEAT_SCHEMAS: text(
    "Folder with the authority's XSD files; when set, records are checked against them as well.",
  ),
  FOLIO_PRODUCER_NAME: {
    default: null,
    help: 'Producer of this invoicing system, as each record names it (120 characters at most); needed for live companies.',
    read: (value) =>
      isLongerThan(value, 120)
        ? refuse('must have 120 characters at most, as each record takes no more')
        : value,
  },
  FOLIO_PRODUCER_TAX_ID: {
    default: null,
    help: 'Tax id (NIF) of the producer; set together with its name.',
    read: (value) => parseSpanishTaxId(value)?.value ?? refuse('must be a Spanish tax id (NIF)'),
  },
  FOLIO_PRODUCER_ADDRESS: text('Postal address of the producer, for the declaration of conformity.'),
  FOLIO_PRODUCER_PLACE: text('Town and country where the producer signs the declaration of conformity.'),
  FOLIO_METRICS_PORT: {
    ...integer(
      0,
      65_535,
      '',
      'Port on which `/metrics` is answered instead of beside the API; 0 lets the system choose.',
    ),
    default: null,
  },
  FOLIO_METRICS_HOST: host('Address that FOLIO_METRICS_PORT is bound to. Default: HOST.'),
  FOLIO_DOCS_PORT: {
    ...integer(
      0,
      65_535,
      '',
      'Port on which `/docs`, `/openapi.json` and `/llms.txt` are answered instead of beside the API; 0 lets the system choose.',
    ),
    default: null,
  },
  FOLIO_DOCS_HOST: host('Address that FOLIO_DOCS_PORT is bound to. Default: HOST.'),
  FOLIO_DOCS_URL: publicAddress(
    'Address under which people reach what FOLIO_DOCS_PORT answers; used in links and in the `doc_url` of errors. Default: where it listens.',
  ),
  FOLIO_OTEL_ENDPOINT: address(
    ['http:', 'https:'],
    'Collector of OpenTelemetry that traces are sent to by OTLP over HTTP, such as `http://127.0.0.1:4318`; without it none are kept. `OTEL_EXPORTER_OTLP_HEADERS` adds headers. See docs/monitoring.md.',
  ),
  FOLIO_OTEL_PERCENT: integer(
    0,
    100,
    '10',
    'How many of a hundred traces are kept. Ten calls a second that say so in `traceparent` are kept besides.',
  ),
  FOLIO_POOL_SIZE: integer(
    2,
    200,
    '10',
    'Connections to the database that calls and jobs of a process share; it opens others besides (docs/operations.md).',
  ),
  FOLIO_LOG_LEVEL: oneOf(
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    'info',
    'Least level that is logged.',
  ),
} satisfies Record<keyof Config, Setting<unknown>>;

export type Config = {
  PORT: number;
  HOST: string;
  DATABASE_URL: string | null;
  DATABASE_MIGRATION_URL: string | null;
  DATABASE_DIRECT_URL: string | null;
  FOLIO_DATA_DIR: string;
  FOLIO_BLOB_URL: BlobPlace | null;
  FOLIO_PUBLIC_URL: string | null;
  FOLIO_SECRET_KEY: string | null;
  FOLIO_SECRET_KEY_PREVIOUS: string | null;
  FOLIO_RATE_LIMITS: RateTable;
  FOLIO_API_KEYS_MAX: number;
  FOLIO_TRUSTED_PROXIES: string[];
  FOLIO_EGRESS_IPS: string[];
  FOLIO_WEBHOOK_ALLOWED_RANGES: string[];
  FOLIO_OAUTH_ALLOWED_RANGES: string[];
  FOLIO_MCP_LEGACY: 'off' | 'api_keys';
  FOLIO_MCP_ORIGINS: string[];
  FOLIO_SIGN_UP: 'invited' | 'open';
  FOLIO_SECURITY_CONTACT: string[];
  FOLIO_SMTP_URL: SmtpServer | null;
  FOLIO_MAIL_FROM: string | null;
  FOLIO_AEAT: 'none' | 'preproduction' | 'production';
  FOLIO_AEAT_CERTIFICATE: string | null;
  FOLIO_AEAT_CERTIFICATE_PASSWORD: string | null;
  FOLIO_AEAT_SCHEMAS: string | null;
  FOLIO_PRODUCER_NAME: string | null;
  FOLIO_PRODUCER_TAX_ID: string | null;
  FOLIO_PRODUCER_ADDRESS: string | null;
  FOLIO_PRODUCER_PLACE: string | null;
  FOLIO_METRICS_PORT: number | null;
  FOLIO_METRICS_HOST: string | null;
  FOLIO_DOCS_PORT: number | null;
  FOLIO_DOCS_HOST: string | null;
  FOLIO_DOCS_URL: string | null;
  FOLIO_OTEL_ENDPOINT: string | null;
  FOLIO_OTEL_PERCENT: number;
  FOLIO_POOL_SIZE: number;
  FOLIO_LOG_LEVEL: string;
};

/** Settings that only the program and developers' commands take. The service ignores them. */
export const commandVariables = {
  FOLIO_API_KEY:
    'API key that `folio api`, `folio listen` and `folio events trigger` call with; `--key` names another.',
  FOLIO_URL: 'Address of the service that they call; `--url` names another.',
  FOLIO_ENV_FILE: 'File of settings, NAME=value lines, in place of `.env`. It has to be there.',
} as const;

/** The placeholder for a secret in files under deploy/. Everybody knows it. */
const placeholder = 'CHANGE-ME';

/** A file may hold each instead: `NAME_FILE` says which. */
export const secretNames: readonly string[] = [
  ...Object.entries(settings).flatMap(([name, setting]) => ('is_secret' in setting ? [name] : [])),
  'FOLIO_API_KEY',
];

/** @throws ConfigError for a file that cannot be read */
export function readCommandVariable(
  env: NodeJS.ProcessEnv,
  name: keyof typeof commandVariables,
): string | undefined {
  return withSecretFiles(env, secretNames.includes(name) ? [name] : [])[name] || undefined;
}

/** @throws ConfigError that names the setting */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const known = new Set([...Object.keys({ ...settings, ...commandVariables }), ...secretNames.map(fileOf)]);
  const unknown = Object.keys(environment).filter(
    (name) => name.startsWith('FOLIO_') && !known.has(name) && !name.startsWith('FOLIO_TEST_'),
  );
  if (unknown.length > 0)
    throw new ConfigError(
      `Unknown setting ${unknown.join(', ')}. Settings are: ${Object.keys(settings).join(', ')}.`,
    );
  const env = withSecretFiles(
    environment,
    Object.keys(settings).filter((name) => secretNames.includes(name)),
  );
  const config: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(settings) as [string, Setting<unknown>][]) {
    const given = env[name] === undefined || env[name] === '' ? setting.default : env[name];
    if ('is_secret' in setting && given?.includes(placeholder))
      throw new ConfigError(`${name} still holds the ${placeholder} of an example: put your own there.`);
    try {
      config[name] = given === null ? null : setting.read(given);
    } catch (error) {
      if (error instanceof ConfigError) throw new ConfigError(`${name} ${error.message}.`);
      throw error;
    }
  }
  for (const name of ['FOLIO_SECRET_KEY', 'FOLIO_SECRET_KEY_PREVIOUS'] as const) {
    const secret = config[name] as string | null;
    if (secret !== null && secret.length < 32)
      throw new ConfigError(`${name} must have 32 characters or more.`);
    if (secret !== null && secret.trim() === '') throw new ConfigError(`${name} must not be blanks alone.`);
  }
  if (config.FOLIO_SECRET_KEY === null && config.DATABASE_URL !== null) {
    throw new ConfigError(
      'FOLIO_SECRET_KEY is needed with DATABASE_URL: it encrypts the secrets that the database holds. ' +
        'After a move or a restore it is the one of before, such as the file secret-key of FOLIO_DATA_DIR.',
    );
  }
  if (config.DATABASE_URL === null && config.DATABASE_DIRECT_URL !== null) {
    throw new ConfigError(
      'DATABASE_DIRECT_URL needs DATABASE_URL: it is the way past the pooler named there.',
    );
  }
  if (config.DATABASE_URL === null && config.DATABASE_MIGRATION_URL !== null) {
    throw new ConfigError('DATABASE_MIGRATION_URL needs DATABASE_URL, which names the same database.');
  }
  if (config.FOLIO_METRICS_HOST !== null && config.FOLIO_METRICS_PORT === null) {
    throw new ConfigError('FOLIO_METRICS_HOST needs FOLIO_METRICS_PORT, the port that it binds.');
  }
  for (const name of ['FOLIO_DOCS_HOST', 'FOLIO_DOCS_URL'])
    if (config[name] !== null && config.FOLIO_DOCS_PORT === null)
      throw new ConfigError(`${name} needs FOLIO_DOCS_PORT, the port of the documents.`);
  refuseSharedPort(config as Config);
  if ((config.FOLIO_PRODUCER_NAME === null) !== (config.FOLIO_PRODUCER_TAX_ID === null)) {
    throw new ConfigError('FOLIO_PRODUCER_NAME and FOLIO_PRODUCER_TAX_ID are set together, or neither is.');
  }
  if ((config.FOLIO_SMTP_URL === null) !== (config.FOLIO_MAIL_FROM === null)) {
    throw new ConfigError('FOLIO_SMTP_URL and FOLIO_MAIL_FROM are set together, or neither is.');
  }
  if (config.FOLIO_SIGN_UP === 'open' && config.FOLIO_SMTP_URL === null) {
    throw new ConfigError('FOLIO_SIGN_UP=open needs FOLIO_SMTP_URL: an account begins with a message.');
  }
  if (config.FOLIO_AEAT_CERTIFICATE === null && config.FOLIO_AEAT_CERTIFICATE_PASSWORD !== null) {
    throw new ConfigError(
      'FOLIO_AEAT_CERTIFICATE_PASSWORD needs FOLIO_AEAT_CERTIFICATE, the file that it opens.',
    );
  }
  return config as Config;
}

/** The start would say that another program has the port. */
function refuseSharedPort({ HOST, ...config }: Config): void {
  const servers = [
    { name: 'PORT', port: config.PORT, host: HOST },
    { name: 'FOLIO_METRICS_PORT', port: config.FOLIO_METRICS_PORT, host: config.FOLIO_METRICS_HOST ?? HOST },
    { name: 'FOLIO_DOCS_PORT', port: config.FOLIO_DOCS_PORT, host: config.FOLIO_DOCS_HOST ?? HOST },
  ].filter(({ port }) => port !== null && port !== 0);
  for (const [i, one] of servers.entries()) {
    const other = servers.slice(0, i).find(({ port, host }) => port === one.port && host === one.host);
    if (other)
      throw new ConfigError(
        `${one.name} and ${other.name} are both ${one.port}: give each a port of its own.`,
      );
  }
}
