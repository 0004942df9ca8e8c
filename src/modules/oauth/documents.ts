/** Fetches documents of clients, and remembers what came of it, for all processes. No connection is held meanwhile. */
import { networkOf } from '../../kernel/ip-ranges.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db.ts';
import { countInWindow } from '../../platform/window-count.ts';
import { findDocumentRow, saveDocument } from './documents.store.ts';
import type { OAuthClient } from './find-client.ts';
import type { DocumentPort } from './ports.ts';
import {
  type ClientDocument,
  documentLife,
  failureLife,
  readClientDocument,
} from './rules/client-document.ts';

const bounds = { timeout_ms: 3000, bytes_max: 5120 } as const;

/** A minute in this process: of one network, and of all. */
const fetchesOfOne = 10;
const fetchesOfAll = 60;

type Parts = { db: Database; clock: Clock; documents: DocumentPort };

export function makeDocumentFinder({ db, clock, documents }: Parts) {
  const [of_one, of_all] = [countInWindow(fetchesOfOne), countInWindow(fetchesOfAll)];
  /** All that ask for an address meanwhile get the same answer. */
  const fetching = new Map<string, Promise<ClientDocument | null>>();

  async function fetchNow(url: string): Promise<ClientDocument | null> {
    const fetched = await documents.fetchDocument(url, bounds);
    const document = (fetched && readClientDocument(fetched.bytes, url)) ?? null;
    const life = fetched && document ? documentLife(fetched.cache_control) : failureLife;
    await saveDocument(db.index, url, document, new Date(clock.now().getTime() + life));
    return document;
  }

  function begin(url: string, ip: string): Promise<ClientDocument | null> {
    const known = fetching.get(url);
    if (known) return known;
    const [network, now] = [networkOf(ip), clock.now()];
    if (of_one.blockedFor(network, now) > 0 || of_all.blockedFor('all', now) > 0)
      return Promise.resolve(null);
    of_one.add(network, now);
    of_all.add('all', now);
    const begun = fetchNow(url).finally(() => fetching.delete(url));
    fetching.set(url, begun);
    return begun;
  }

  return async (url: string, ip: string): Promise<OAuthClient | undefined> => {
    const row = await findDocumentRow(db.index, url, clock.now());
    const document = row ? row.document : await begin(url, ip);
    if (!document) return undefined;
    const { name, redirect_uris } = document;
    const { host } = new URL(url);
    return { client_id: url, name, type: 'public', redirect_uris, host, registered: null };
  };
}
