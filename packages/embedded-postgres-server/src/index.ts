export type { EmbeddedConnection } from './connection.ts';
export { EmbeddedPostgresError } from './embedded-postgres-error.ts';
export { findProcess } from './processes.ts';
export type { Program } from './program.ts';
export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from './start-embedded-postgres.ts';
