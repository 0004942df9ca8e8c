/** Whether the database itself keeps companies apart, as the service is connected (ADR 6). */
import type { Tx } from '../kernel/operation.ts';
import { indexTables } from './tenancy.ts';

/**
 * True when the role in use is no superuser, cannot bypass row-level security and owns no table, and every table but the
 * listed ones has forced row-level security.
 */
export async function holdsRowSecurity(tx: Tx): Promise<boolean> {
  const [row] = await tx<{ holds: boolean }[]>`
    select not (r.rolsuper or r.rolbypassrls) and not exists (
             select 1 from pg_class c
              where c.relnamespace = (select k.relnamespace from pg_class k where k.oid = 'companies'::regclass)
                and c.relkind in ('r', 'p')
                and (c.relowner = r.oid
                     or not (c.relrowsecurity and c.relforcerowsecurity or c.relname = any(${Object.keys(indexTables)}::text[])))
           ) as holds
      from pg_roles r where r.rolname = current_user`;
  return row?.holds === true;
}
