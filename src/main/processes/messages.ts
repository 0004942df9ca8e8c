/**
 * What the supervisor and its processes tell each other. A supervisor may start processes of a newer version, so raise
 * `protocol` with each change here.
 */
import type { Config } from '../config.ts';
import type { EmbeddedPlace } from '../database.ts';
import type { MetricsPage, ProcessMetrics } from '../metrics.ts';

export const protocol = 3;

/** Where the service is. Other settings are read anew by each process. */
const keptSettings = [
  'PORT',
  'HOST',
  'DATABASE_URL',
  'DATABASE_MIGRATION_URL',
  'DATABASE_DIRECT_URL',
  'FOLIO_DATA_DIR',
  'FOLIO_METRICS_HOST',
  'FOLIO_METRICS_PORT',
  'FOLIO_DOCS_HOST',
  'FOLIO_DOCS_PORT',
] as const;

/** The embedded server was started with connections for this size. Another server's connections are its operator's concern. */
const keptWithEmbedded = ['FOLIO_POOL_SIZE'] as const;

export type KeptSettings = Pick<Config, (typeof keptSettings)[number]> &
  Partial<Pick<Config, (typeof keptWithEmbedded)[number]>>;

export function keptOf(config: Config): KeptSettings {
  const names = config.DATABASE_URL === null ? [...keptSettings, ...keptWithEmbedded] : keptSettings;
  return Object.fromEntries(names.map((name) => [name, config[name]])) as unknown as KeptSettings;
}

export type Order = {
  role: 'api' | 'worker';
  listens: boolean;
  processes: number;
  /** Null: DATABASE_URL names the database. */
  place: EmbeddedPlace | null;
  kept: KeptSettings;
  /** Whether the supervisor has brought the database up to date. A program that came later does so itself. */
  has_database: boolean;
  /** False while others are still starting. */
  is_complete: boolean;
  /** Where the API of all listens; empty until it does. */
  url: string;
};

/**
 * - `leave`: another has taken the place; connections end when their callers are done with them
 * - `end`: the service ends; requests in flight are finished
 * - `abandon`: the database is gone
 */
export type Ending = 'leave' | 'end' | 'abandon';

export type ToProcess =
  | { is: 'start'; order: Order }
  | { is: 'complete'; url: string; introduces: boolean }
  | { is: 'ending'; how: Ending }
  | { is: 'values wanted'; question: number }
  | { is: 'page'; question: number; page: MetricsPage }
  | { is: 'no page'; question: number; reason: string };

export type FromProcess =
  | { is: 'loaded'; protocol: number }
  | { is: 'ready'; url: string }
  | { is: 'refused'; sentence: string; may_pass: boolean }
  | { is: 'page wanted'; question: number }
  | { is: 'values'; question: number; values: ProcessMetrics }
  | { is: 'last values'; values: ProcessMetrics };
