import type { Ctx } from '../../kernel/operation.ts';
import type { JobCtx, JobHandler } from '../../platform/worker.ts';
import { deleteEndedDeliveries } from './deliveries.store.ts';
import { forgetSome, listSealed, resealEndpoint, watchEndpoints } from './endpoints.store.ts';
import { secretPlace } from './secret.ts';

const keptMs = 30 * 24 * 3_600_000;

/**
 * Deletes deliveries whose last attempt ended over 30 days ago, in real time. Waiting ones stay, however long
 * their endpoint is disabled.
 * @returns whether more may be left
 */
export async function deleteOldDeliveries(ctx: JobCtx, max: number): Promise<boolean> {
  const { tx, company, realNow } = ctx;
  const { company_id } = company;
  const before = new Date(realNow().getTime() - keptMs);
  return (await deleteEndedDeliveries(tx, company_id, before, max)) === max;
}

const forgetKind = 'webhook_endpoint.forget';

/** Deletes what is left of a hidden endpoint, so many deliveries in each transaction. */
export function forgetLater({ enqueue }: Pick<Ctx, 'enqueue'>, endpoint_id: string): void {
  enqueue(forgetKind, { endpoint_id }, { clock: 'real' });
}

export const forgetEndpoint: JobHandler = {
  kind: forgetKind,
  async run(ctx) {
    const id = ctx.job.payload.endpoint_id as string;
    if (await forgetSome(ctx.tx, ctx.company.company_id, id)) forgetLater(ctx, id);
  },
};

/** Two calls at once may have counted without each other. This daily count puts the company's figures right. */
export function recountEndpoints({ tx, company }: JobCtx): Promise<void> {
  return watchEndpoints(tx, company.company_id);
}

/** Runs daily. Afterwards no secret needs an earlier key of the service or lacks its place. */
export async function resealWebhookSecrets({
  tx,
  company: { company_id },
  ports: { secrets },
  log,
}: JobCtx): Promise<void> {
  for (const row of await listSealed(tx, company_id)) {
    const place = secretPlace(company_id, row.id);
    const again = (sealed: Buffer) => {
      if (secrets.isCurrent(sealed)) return sealed;
      try {
        return secrets.seal(secrets.open(sealed, place), place);
      } catch (error) {
        // No configured key opens it. It stays until one does.
        log.warn({ err: error, endpoint_id: row.id }, 'the secret of an endpoint was not sealed again');
        return sealed;
      }
    };
    const { sealed_secret, previous_sealed_secret: previous } = row;
    const sealed = {
      sealed_secret: again(sealed_secret),
      previous_sealed_secret: previous && again(previous),
    };
    if (sealed.sealed_secret !== sealed_secret || sealed.previous_sealed_secret !== previous)
      await resealEndpoint(tx, company_id, row, sealed);
  }
}
