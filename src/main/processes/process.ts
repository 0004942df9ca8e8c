/** One of several processes of the service. It does what its supervisor says, and ends in order when that one is gone. */
import cluster, { type Worker } from 'node:cluster';
import { isUnreachable } from '../../platform/db.ts';
import { type Config, readConfig } from '../config.ts';
import { type DatabaseHandle, joinDatabase } from '../database.ts';
import { loadSettingsFile } from '../environment.ts';
import { explain } from '../explain.ts';
import { watchFaults } from '../faults.ts';
import { introduce } from '../introduction.ts';
import type { MetricsPage } from '../metrics.ts';
import {
  abandonService,
  closeService,
  drainService,
  type OpenService,
  openService,
} from '../open-service.ts';
import type { Crew } from '../service.ts';
import { say } from '../terminal.ts';
import { drainMs, endingMs, idleMs } from './ending-times.ts';
import { type Ending, type FromProcess, type Order, protocol, type ToProcess } from './messages.ts';
import { makePageQuestions } from './page-questions.ts';

type Opened = OpenService & { config: Config; handle: DatabaseHandle; order: Order };

export function runProcess(): void {
  const one = new CrewProcess(cluster.worker!);
  one.begin();
}

class CrewProcess {
  readonly #supervisor: Worker;
  readonly #pages = makePageQuestions((question) => void this.#tell({ is: 'page wanted', question }));
  #opened: Promise<Opened> | undefined;
  #is_complete = false;
  #url = '';
  #ending: Ending | undefined;
  /** Ends the wait of a process that leaves. */
  readonly #hurry = new AbortController();

  constructor(supervisor: Worker) {
    this.#supervisor = supervisor;
  }

  begin(): void {
    process.on('message', (message: ToProcess) => this.#heed(message));
    // The supervisor was killed. Node would end the process at once; requests in flight are finished first.
    this.#supervisor.once('disconnect', () => {
      this.#supervisor.exitedAfterDisconnect = true;
      setTimeout(() => process.exit(1), endingMs.end).unref();
      void this.#end('end');
    });
    watchFaults({
      log: (error) =>
        void this.#opened?.then(({ service }) =>
          service.app.log.fatal({ err: error }, 'ending on a fault of the program'),
        ),
      end: async () => undefined,
    });
    void this.#tell({ is: 'loaded', protocol });
  }

  #heed(message: ToProcess): void {
    if (message.is === 'start') void this.#start(message.order);
    else if (message.is === 'complete') void this.#complete(message);
    else if (message.is === 'ending') void this.#end(message.how);
    else if (message.is === 'values wanted') void this.#answerValues(message.question);
    else this.#pages.take(message);
  }

  /** Resolves when it is on its way, or nobody is there. */
  #tell(message: FromProcess): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (this.#supervisor.isConnected()) this.#supervisor.send(message, () => resolve());
    else resolve();
    return promise;
  }

  async #start(order: Order): Promise<void> {
    this.#is_complete = order.is_complete;
    this.#url = order.url;
    this.#opened = this.#open(order);
    try {
      const { service } = await this.#opened;
      await this.#tell({ is: 'ready', url: service.url });
    } catch (error) {
      const sentence = explain(error) ?? String(error instanceof Error ? error.stack : error);
      await this.#tell({ is: 'refused', sentence, may_pass: isUnreachable(error) });
      this.#leaveCluster();
    }
  }

  async #open(order: Order): Promise<Opened> {
    loadSettingsFile(process.env);
    const config = { ...readConfig(process.env), ...order.kept };
    const handle = joinDatabase(config, order.place, say);
    const crew: Crew = {
      // A supervisor of an earlier version does not say.
      has_database: order.has_database === true,
      processes: order.processes,
      listens: order.listens,
      url: () => this.#url,
      isIncomplete: () => !this.#is_complete,
      metricsPage: () => this.#askPage(),
    };
    return { ...(await openService(handle, config, order.role, crew)), config, handle, order };
  }

  #askPage(): Promise<MetricsPage> {
    if (!this.#supervisor.isConnected()) return Promise.reject(new Error('The supervisor is gone.'));
    return this.#pages.ask();
  }

  async #complete({ url, introduces }: Extract<ToProcess, { is: 'complete' }>): Promise<void> {
    this.#is_complete = true;
    this.#url = url;
    const opened = await this.#opened;
    if (introduces && opened)
      await introduce(opened, opened.config, opened.order.role === 'worker' ? 'worker' : 'all');
  }

  async #answerValues(question: number): Promise<void> {
    const values = await this.#opened?.then(({ service }) => service.metrics()).catch(() => undefined);
    if (values) await this.#tell({ is: 'values', question, values });
  }

  /** A process that has not opened yet has nothing to end. */
  async #end(how: Ending): Promise<void> {
    if (this.#ending === 'leave' && how !== 'leave') {
      // The whole service ends now, so nobody waits for idle connections.
      this.#ending = how;
      this.#hurry.abort();
    }
    if (this.#ending) return;
    this.#ending = how;
    const opened = await this.#opened?.catch(() => undefined);
    if (opened) {
      if (this.#ending === 'leave') await opened.service.leave(idleMs + drainMs, this.#hurry.signal);
      if (this.#ending === 'abandon') await abandonService(opened);
      else await this.#endInOrder(opened);
    }
    this.#leaveCluster();
  }

  async #endInOrder(opened: Opened): Promise<void> {
    await drainService(opened);
    const values = await opened.service.metrics().catch(() => []);
    await closeService(opened);
    await this.#tell({ is: 'last values', values });
  }

  /** Without the supervisor's channel nothing keeps the process. */
  #leaveCluster(): void {
    this.#supervisor.exitedAfterDisconnect = true;
    if (this.#supervisor.isConnected()) process.disconnect();
  }
}
