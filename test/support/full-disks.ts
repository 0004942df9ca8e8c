/** Disks that can be filled up: a real one where this process may mount it, else what PostgreSQL says of one. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { ManagedDatabase } from './managed-database.ts';

class SmallDisk {
  readonly path: string;
  constructor(path: string) {
    this.path = path;
  }
  /** Writes until there is no room. */
  async fill(): Promise<void> {
    const file = openSync(join(this.path, 'filler'), 'w');
    const piece = Buffer.alloc(64 * 1024);
    try {
      for (;;) writeSync(file, piece);
    } catch (error) {
      assert.equal((error as { code?: string }).code, 'ENOSPC');
    } finally {
      closeSync(file);
    }
  }
  async empty(): Promise<void> {
    rmSync(join(this.path, 'filler'));
  }
}

/** Undefined where this process may make none, and with FOLIO_TEST_NO_MOUNT. */
export function makeSmallDisk(t: TestContext): SmallDisk | undefined {
  if (process.env.FOLIO_TEST_NO_MOUNT) return undefined;
  const path = mkdtempSync(join(tmpdir(), 'folio-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=128m', 'tmpfs', path], { stdio: 'ignore' });
  } catch {
    rmSync(path, { recursive: true });
    return undefined;
  }
  t.after(() => {
    execFileSync('umount', ['-l', path]);
    rmSync(path, { recursive: true });
  });
  return new SmallDisk(path);
}

const says = `raise exception 'could not extend file "base/1/1": No space left on device' using errcode = 'disk_full'`;

/**
 * Every write of the database `folio` is refused as on a full disk, and so is the sort by which the service asks for room.
 * A limit of file sizes would not do: PostgreSQL gives EFBIG the code of an internal error.
 */
export class PretendedDisk {
  readonly path = undefined;
  #database: ManagedDatabase | undefined;

  async takeOver(database: ManagedDatabase): Promise<void> {
    this.#database = database;
    await this.#ask(`
      create schema fault;
      create table fault.state (is_full boolean not null);
      insert into fault.state values (false);
      grant usage on schema fault to public;
      grant select on fault.state to public;
      create function fault.refuse() returns trigger language plpgsql as $$
        begin if (select is_full from fault.state) then ${says}; end if; return null; end $$;
      create function fault.md5(t text) returns text language plpgsql as $$
        begin if (select is_full from fault.state) then ${says}; end if; return pg_catalog.md5(t); end $$;
      do $$ declare name text; begin
        for name in select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
                     where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition loop
          execute format('create trigger full_disk before insert or update on public.%I
                            for each statement execute function fault.refuse()', name);
        end loop; end $$;
      alter database folio set search_path = fault, pg_catalog, public`);
  }
  async fill(): Promise<void> {
    await this.#ask('update fault.state set is_full = true');
  }
  async empty(): Promise<void> {
    await this.#ask('update fault.state set is_full = false');
  }
  async #ask(text: string): Promise<void> {
    await this.#database!.ask(text, 'folio');
  }
}
