/** Where tests find the authority's schemas. They are the authority's files and not part of this package. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder =
  process.env.AEAT_SCHEMAS || fileURLToPath(new URL('../../../../shared/verifactu/schemas', import.meta.url));

/** The folder, or null where there is none. */
export const officialSchemasFolder = existsSync(join(folder, 'SuministroLR.xsd')) ? folder : null;

/** For `test(name, { skip: ... })`: false, or why the test is skipped. */
export const skipWithoutSchemas =
  officialSchemasFolder === null ? 'the official schemas are not here; set AEAT_SCHEMAS' : false;
