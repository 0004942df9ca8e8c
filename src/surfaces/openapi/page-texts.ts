/** The pages that are written as Markdown under docs/ and served as they are read there. */
import { existsSync, readFileSync } from 'node:fs';

const folder = new URL('../../../docs/', import.meta.url);

/** The address in written pages: that of a service without any setting. */
const written_address = 'http://127.0.0.1:3000';

/** The text with the address of this service in place of the written one. */
export const addressed = (text: string, public_url: string) => text.replaceAll(written_address, public_url);

export const hasPageText = (name: string) => existsSync(new URL(name, folder));

/** @returns the text with LF line ends; undefined when the service runs without docs/ */
export function readPageText(name: string): string | undefined {
  if (!hasPageText(name)) return undefined;
  return readFileSync(new URL(name, folder), 'utf8').replaceAll('\r\n', '\n');
}
