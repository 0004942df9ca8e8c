/** The lists of the catalogue. */
import { catalog } from '../../src/modules/catalog.ts';

/** The same for all companies (closed-lists.test.ts), or read from the oldest day (get-client-statement.test.ts). */
const apart = ['list_event_catalog', 'list_declaraciones_responsables', 'get_client_statement'];

/** Those of a company's own records. */
export const recordLists = catalog.filter(
  (o) => Object.hasOwn(o.query?.properties ?? {}, 'starting_after') && !apart.includes(o.name),
);
