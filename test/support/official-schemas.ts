/** The authority's schemas are not part of this project. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder =
  process.env.FOLIO_AEAT_SCHEMAS ||
  fileURLToPath(new URL('../../../shared/verifactu/schemas', import.meta.url));

export const officialSchemasFolder = existsSync(join(folder, 'SuministroLR.xsd')) ? folder : null;

/** The `skip` option of a test. */
export const skipWithoutSchemas =
  officialSchemasFolder === null ? 'the official schemas are not here; set FOLIO_AEAT_SCHEMAS' : false;
