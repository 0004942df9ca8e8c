/**
 * `folio serve --processes N`: processes of the API on one port, one of background work beside them, and this one, which
 * starts them, replaces those that end, and has the embedded database (ADR 71). It answers no request itself.
 */
import type { EmbeddedPostgres } from 'embedded-postgres-server';
import { connectionsOf } from '../../platform/db.ts';
import { type Config, ConfigError, readConfig } from '../config.ts';
import { type EmbeddedPlace, joinDatabase, placeOf, prepareDatabase, startEmbedded } from '../database.ts';
import { docsHost, docsNamed } from '../docs-place.ts';
import { forgetSettingsFile, loadSettingsFile } from '../environment.ts';
import { keepServing, type Running } from '../keep-serving.ts';
import { type MetricsServer, startMetricsServer } from '../metrics-server.ts';
import type { Role } from '../service.ts';
import { complain, say } from '../terminal.ts';
import { makeCrewMetrics } from './crew-metrics.ts';
import { findPort } from './find-port.ts';
import { firstOf, forkOne } from './first-members.ts';
import type { HangUps } from './hang-ups.ts';
import type { Member } from './member.ts';
import { keptOf, type Order } from './messages.ts';
import { answerPage } from './page-questions.ts';
import { Seat } from './seat.ts';

/** Connections of commands, and those that PostgreSQL keeps for its superuser. */
const otherConnections = 30;

/**
 * Returns once SIGINT or SIGTERM has ended all processes. SIGHUP replaces them one by one.
 * @param roles of the processes: those of the API come first
 * @param first those that callers wait for, just started
 * @param hang_ups watched since before they were
 * @throws StartError, ConfigError or EmbeddedPostgresError
 */
export async function serveProcesses(
  config: Config,
  role: Role,
  roles: readonly Order['role'][],
  first: readonly Member[],
  hang_ups: HangUps,
): Promise<void> {
  let waiting: readonly Member[] | null = first;
  await keepServing(config, async (here) => {
    const crew = new Crew(here, role, roles);
    hang_ups.heed(() => crew.renew());
    const begun = waiting;
    waiting = null;
    return crew.start(begun);
  });
}

/** Settings that say where the service is, and are others by now. The processes themselves tell of a wrong one. */
function changedSince(config: Config): string[] {
  const kept = keptOf(config);
  try {
    loadSettingsFile(process.env);
    const now = readConfig(process.env);
    return (Object.keys(kept) as (keyof typeof kept)[]).filter((name) => now[name] !== kept[name]);
  } catch (error) {
    if (error instanceof ConfigError) return [];
    throw error;
  } finally {
    forgetSettingsFile(process.env);
  }
}

class Crew {
  readonly #config: Config;
  readonly #roles: readonly Order['role'][];
  readonly #role: Role;
  readonly #seats: Seat<Member>[];
  readonly #metrics = makeCrewMetrics(() => this.#members);
  /** Those that are not ready yet. */
  readonly #starting = new Set<Member>();
  #embedded: EmbeddedPostgres | null = null;
  #metrics_server: MetricsServer | null = null;
  #port = 0;
  #docs_port: number | null = null;
  #url = '';
  #has_database = false;
  /** Callers are served. */
  #is_complete = false;
  #has_started = false;
  #is_ending = false;
  #renewing: Promise<void> | null = null;
  #renews_again = false;

  constructor(config: Config, role: Role, roles: readonly Order['role'][]) {
    this.#config = config;
    this.#role = role;
    this.#roles = roles;
    this.#seats = this.#roles.map(
      (kind) =>
        new Seat<Member>({
          name: kind === 'api' ? 'API' : 'background work',
          start: () => this.#startMember(kind, this.#fork(kind)),
          onGone: (member) => this.#metrics.keep(member.lastMetrics()),
          say,
        }),
    );
  }

  get #members(): readonly Member[] {
    return this.#seats.flatMap((seat) => seat.all);
  }

  /** @param first processes that were started before; null: it starts them */
  async start(first: readonly Member[] | null): Promise<Running> {
    const { DATABASE_URL, HOST: host, FOLIO_POOL_SIZE, FOLIO_DOCS_PORT } = this.#config;
    // They load the program while the database starts.
    const members =
      first?.map((member) => this.#adopt(member)) ?? firstOf(this.#roles).map((kind) => this.#fork(kind));
    try {
      this.#port = this.#config.PORT === 0 ? await findPort(host) : this.#config.PORT;
      this.#docs_port =
        FOLIO_DOCS_PORT === 0 ? await findPort(docsHost(this.#config), docsNamed) : FOLIO_DOCS_PORT;
      if (DATABASE_URL === null) {
        const all = (this.#roles.length + 1) * connectionsOf(FOLIO_POOL_SIZE) + otherConnections;
        const settings = { max_connections: String(Math.max(100, all)) };
        this.#embedded = await startEmbedded(this.#config, settings, say);
      }
      await prepareDatabase(joinDatabase(this.#config, this.#place(), say), say);
      this.#has_database = true;
      this.#metrics_server = await startMetricsServer(this.#metrics, this.#config);
      await this.#startAll(members, 0);
      // Callers are served from now on. Loading the others earlier would have kept them waiting.
      this.#complete(false);
      const others = this.#roles.slice(members.length).map((kind) => this.#fork(kind));
      await Promise.all([this.#startAll(others, members.length), this.#metrics.load()]);
    } catch (error) {
      for (const member of [...this.#starting, ...(this.#is_complete ? [] : members)]) member.kill();
      await Promise.all(this.#is_complete ? [] : members.map(({ exited }) => exited));
      await this.#end('end');
      throw error;
    }
    // Those that come later may be of another program.
    this.#has_database = false;
    this.#has_started = true;
    // Once the start was told.
    setImmediate(() => this.#renewOnceMore());
    return this.#running();
  }

  /** @param from the seat of the first of them */
  async #startAll(members: readonly Member[], from: number): Promise<void> {
    await Promise.all(members.map((member, i) => this.#startMember(this.#roles[from + i]!, member)));
    for (const [i, member] of members.entries()) this.#seats[from + i]!.take(member);
  }

  #complete(introduces: boolean): void {
    this.#is_complete = true;
    for (const [i, member] of this.#members.entries())
      member.tell({ is: 'complete', url: this.#url, introduces: introduces && i === 0 });
  }

  #running(): Running {
    return {
      url: this.#url,
      port: this.#port,
      embedded: this.#embedded,
      introduce: () => {
        this.#complete(true);
        say(`Processes: ${this.#members.map(({ pid }, i) => `${pid} (${this.#nameOf(i)})`).join(', ')}.`);
      },
      tellFault: () => undefined,
      end: () => this.#end('end'),
      abandon: () => this.#end('abandon'),
      kill: () => this.#kill(),
    };
  }

  #nameOf(i: number): string {
    return this.#roles[i] === 'api' ? 'API' : 'background work';
  }

  /** Replaces the processes one by one. A call meanwhile, or while they start, does it once more afterwards. */
  renew(): void {
    if (this.#is_ending) return;
    if (!this.#has_started || this.#renewing) {
      this.#renews_again = true;
      return;
    }
    this.#renewing = this.#renewAll().finally(() => {
      this.#renewing = null;
      this.#renewOnceMore();
    });
  }

  #renewOnceMore(): void {
    if (!this.#renews_again) return;
    this.#renews_again = false;
    this.renew();
  }

  async #renewAll(): Promise<void> {
    say('Replacing the processes one by one on SIGHUP.');
    try {
      for (const seat of this.#seats) {
        if (this.#is_ending) return;
        await seat.renew();
      }
      if (this.#is_ending) return;
      const changed = changedSince(this.#config);
      if (changed.length > 0) say(`Kept as before until a start of the whole: ${changed.join(', ')}.`);
      say(`All processes are replaced: ${this.#members.map(({ pid }) => pid).join(', ')}.`);
    } catch (error) {
      if (!this.#is_ending)
        complain(`folio: ${(error as Error).message} The processes that are not replaced go on.`);
    }
  }

  #fork(role: Order['role']): Member {
    return this.#adopt(forkOne(role));
  }

  #adopt(member: Member): Member {
    member.onPageWanted = (question) => void answerPage(this.#metrics, question, member.tell);
    this.#starting.add(member);
    return member;
  }

  async #startMember(role: Order['role'], member: Member): Promise<Member> {
    try {
      const listens = role === 'api' || this.#role === 'worker';
      const url = await member.start({
        role,
        listens,
        processes: this.#roles.length,
        place: this.#place(),
        kept: { ...keptOf(this.#config), PORT: this.#port, FOLIO_DOCS_PORT: this.#docs_port },
        has_database: this.#has_database,
        is_complete: this.#is_complete,
        url: this.#url,
      });
      if (url !== '') this.#url = url;
      return member;
    } catch (error) {
      member.kill();
      await member.exited;
      throw error;
    } finally {
      this.#starting.delete(member);
    }
  }

  #place(): EmbeddedPlace | null {
    return this.#embedded === null ? null : placeOf(this.#embedded);
  }

  async #end(how: 'end' | 'abandon'): Promise<void> {
    this.#is_ending = true;
    for (const member of this.#starting) member.kill();
    await Promise.all(this.#seats.map((seat) => seat.close(how)));
    await this.#metrics_server?.close();
    await this.#embedded?.stop();
  }

  #kill(): void {
    this.#is_ending = true;
    for (const member of [...this.#members, ...this.#starting]) member.kill();
  }
}
