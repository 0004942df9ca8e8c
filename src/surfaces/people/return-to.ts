/** Longer than any address of our own with its query. */
const most = 7000;

/**
 * Where to go on: a path of this service, beginning with one slash. Anything that a browser could read as another host is none.
 * @returns undefined for what is no such path
 */
export function readReturnTo(text: string | null | undefined): string | undefined {
  if (!text || text.length > most || !/^\/(?![/\\])[\x21-\x7e]*$/.test(text) || text.includes('\\'))
    return undefined;
  const read = URL.parse(text, 'https://folio.invalid');
  return read?.origin === 'https://folio.invalid' && !read.pathname.startsWith('//') ? text : undefined;
}

/** For a page of ours on the way there. */
export const leadingOn = (return_to: string | undefined): string =>
  return_to === undefined ? '' : `?return_to=${encodeURIComponent(return_to)}`;
