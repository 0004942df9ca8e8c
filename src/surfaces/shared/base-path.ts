import type { Addresses } from '../../kernel/addresses.ts';

/**
 * The path that the public address has before ours, which a proxy takes away.
 * @returns empty, or such as `/casa`
 */
export const basePath = (public_url: string): string => new URL(public_url).pathname.replace(/\/$/, '');

/** Whether a page of the documents may call the API as a part of its own origin. */
export const isBesideDocs = ({ public_url, docs_url }: Addresses): boolean => docs_url() === public_url();

/** Where links of the service's own pages find the reference: below their own address, unless it has another. */
export const referenceLink = (addresses: Addresses): string =>
  `${isBesideDocs(addresses) ? basePath(addresses.public_url()) : addresses.docs_url()}/docs`;
