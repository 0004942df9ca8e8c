import type { App } from '../harness.ts';

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const bare = secret.replace(/^(svc_(live|test|ac|at|rt|cs)|whsec)_/, '');
  // Base 64 depends on the offset in three ways. Its ends depend on the neighbours.
  const encoded = [0, 1, 2].map((offset) =>
    Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .slice(4, 28),
  );
  return [bare, bytes.toString('hex'), ...encoded];
}

/**
 * The tables with a row whose text holds one of the texts. Bytes are hexadecimal there. `offset 0` makes each row a text
 * once, not once for each of hundreds of wanted texts.
 */
export async function findInTables(
  app: App,
  texts: readonly string[],
): Promise<{ name: string; count: number }[]> {
  const tables = await app.sql<{ name: string }[]>`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`;
  const found: { name: string; count: number }[] = [];
  for (const { name } of tables) {
    const [row] = await app.sql<{ count: number }[]>`
      select count(*)::int as count
        from (select t::text as whole from ${app.sql.unsafe(name)} t offset 0) as rows
       where exists (select 1 from unnest(${texts as string[]}::text[]) as wanted where position(wanted in whole) > 0)`;
    if (row?.count) found.push({ name, count: row.count });
  }
  return found;
}

/** Searches every row and log line. Names each place with a secret, such as `jobs: 2 rows`. */
export async function findSecrets(app: App, secrets: readonly string[]): Promise<string[]> {
  const forms = [...new Set(secrets)].flatMap(formsOf);
  const found = (await findInTables(app, forms)).map(({ name, count }) => `${name}: ${count} rows`);
  for (const line of app.log_lines) {
    if (forms.some((form) => line.includes(form))) found.push(`log: ${line}`);
  }
  return found;
}
