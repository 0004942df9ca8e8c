import type { Sql } from 'postgres';
import type { ClientDocument } from './rules/client-document.ts';

/** Null: a while ago there was no document at the address. */
export type DocumentRow = { document: ClientDocument | null };

export async function findDocumentRow(sql: Sql, url: string, now: Date): Promise<DocumentRow | undefined> {
  const [row] = await sql<DocumentRow[]>`
    select document from oauth_documents where url = ${url} and expires_at > ${now}`;
  return row;
}

export async function saveDocument(
  sql: Sql,
  url: string,
  document: ClientDocument | null,
  expires_at: Date,
): Promise<void> {
  const text = document === null ? null : JSON.stringify(document);
  await sql`
    insert into oauth_documents (url, document, expires_at) values (${url}, ${text}::text::jsonb, ${expires_at})
    on conflict (url) do update set document = excluded.document, expires_at = excluded.expires_at`;
}
