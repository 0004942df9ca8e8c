/** What emptying a sandbox deletes, in this order: rows that refer to others go first. Each module names its own tables. */
import { sandboxTables as contacts } from './contacts/index.ts';
import { sandboxTables as emails } from './emails/index.ts';
import { sandboxTables as events } from './events/index.ts';
import { sandboxTables as offers } from './offers/index.ts';
import { sandboxTables as payments } from './payments/index.ts';
import { sandboxTables as priceLists } from './price-lists/index.ts';
import { sandboxTables as products } from './products/index.ts';
import { sandboxTables as purchaseScans } from './purchase-scans/index.ts';
import { type Family, sandboxTables as sales } from './sales/index.ts';
import type { SandboxTable } from './sandbox/index.ts';
import { sandboxTables as series } from './series/index.ts';
import { sandboxTables as verifactu } from './verifactu/index.ts';

/** A document takes up to 500 lines along. */
const documentsAtOnce = 500;

/** @param more tables of what is no module */
export function sandboxTablesOf(all: readonly Family[], more: readonly string[]): readonly SandboxTable[] {
  return [
    ...[...verifactu, ...more, ...emails, ...offers, ...payments, ...sales].map((name) => ({ name })),
    ...all.flatMap(tablesOf),
    ...purchaseScans.map((name) => ({ name, has_files: true })),
    ...[...contacts, ...priceLists, ...products, ...events, ...series].map((name) => ({ name })),
  ];
}

/** Lines and breakdown go with their document. */
function tablesOf({ tables: { documents, tags, others = [] } }: Family): SandboxTable[] {
  return [...[...others, tags].map((name) => ({ name })), { name: documents, at_once: documentsAtOnce }];
}
