import { basename, resolve } from 'node:path';
import type { OfficialSchemas } from '../integrations/aeat/official-schemas.ts';
import { ConfigError } from './config.ts';

/**
 * @param folder FOLIO_AEAT_SCHEMAS
 * @throws ConfigError for a folder that cannot be used
 */
export async function readAuthoritySchemas(folder: string | null): Promise<OfficialSchemas | null> {
  if (folder === null) return null;
  const { loadOfficialSchemas, SchemaFault } = await import('../integrations/aeat/official-schemas.ts');
  try {
    return loadOfficialSchemas(folder);
  } catch (error) {
    if (error instanceof SchemaFault)
      throw refusalOf(folder, `whose schemas cannot be used: ${error.message}`);
    const { code, path = folder } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const is_missing = code === 'ENOENT' && resolve(path) !== resolve(folder);
    throw refusalOf(folder, is_missing ? `which has no ${basename(path)}` : `which cannot be read (${code})`);
  }
}

const refusalOf = (folder: string, fault: string) =>
  new ConfigError(`FOLIO_AEAT_SCHEMAS names ${folder}, ${fault}.`);
