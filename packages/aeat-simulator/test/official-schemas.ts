/**
 * The authority's schemas are not part of this package. Without AEAT_SCHEMAS the tests look for them beside the repository, where the
 * tests of the service look too.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const beside = fileURLToPath(new URL('../../../../shared/verifactu/schemas', import.meta.url));
const folder = process.env.AEAT_SCHEMAS || beside;

export const officialSchemasFolder = existsSync(join(folder, 'SuministroLR.xsd')) ? folder : null;

/** The `skip` option of a test: false, or the reason. */
export const skipWithoutSchemas =
  officialSchemasFolder === null ? 'the official schemas are not here; set AEAT_SCHEMAS' : false;
