/**
 * The authority of sandbox companies: the simulator, started in a thread of this process when first needed. It uses each
 * company's clock and stores its records with that company.
 */
import { type Authority, makeAuthority } from '../integrations/aeat/authority.ts';
import { makeSimulatorStore } from '../integrations/aeat/simulator-store.ts';
import { startSimulatorThread } from '../integrations/aeat/simulator-thread.ts';
import { type Clock, companyTime } from '../platform/clock.ts';
import type { Database } from '../platform/db.ts';
import { loadCompany } from '../platform/company-context.ts';

export type SandboxAuthority = { open(): Promise<Authority>; close(): Promise<void> };

/** The service is a social collaborator: it sends for every company. */
const presenter = { tax_id: 'B12345674', name: 'Servicio de pruebas SL' };

/** How long a magic value's time-out lasts. Whoever moves the sandbox's clock waits for it. */
const silenceMs = 10_000;

/** @param schemas folder with the authority's own schemas, checked besides the simulator's rules */
export function makeSandboxAuthority(
  db: Database,
  clock: Clock,
  schemas: string | null,
  report: (error: unknown) => void,
): SandboxAuthority {
  let started: Promise<{ authority: Authority; stop(): Promise<void> }> | undefined;

  async function start() {
    let is_gone = false;
    const simulator = await startSimulatorThread({
      store: makeSimulatorStore(db),
      now: async (company_id) => {
        const real_now = clock.now();
        const { clock: company_clock } = await db.transaction(company_id, (tx) =>
          loadCompany(tx, company_id, real_now),
        );
        return companyTime(company_clock, real_now);
      },
      schemas,
      hold_milliseconds: silenceMs,
      presenter,
      report,
      onGone: () => {
        is_gone = true;
        started = undefined;
        void authority.close();
      },
    });
    const { url, ca, identity } = simulator;
    const authority = makeAuthority({
      aeat: 'none',
      certificate: null,
      simulator: {
        url,
        ca,
        identity: { private_key: identity.key, certificates: [identity.cert], kind: 'seal' },
      },
    });
    return {
      authority,
      async stop() {
        if (is_gone) return;
        await authority.close();
        await simulator.stop();
      },
    };
  }

  return {
    async open() {
      // The next caller tries a failed start again.
      started ??= start().catch((error: unknown) => {
        started = undefined;
        throw error;
      });
      return (await started).authority;
    },
    async close() {
      const running = await started?.catch(() => undefined);
      await running?.stop();
    },
  };
}
