/**
 * These array types are declared because the driver would ask each new connection for all of them. If the connection
 * dies meanwhile, nobody can catch the rejection, and the process ends.
 */
import type { PostgresType } from 'postgres';

/** Quotes every text, so that commas, quotes and the word null mean nothing. */
function writeArray(values: unknown): string {
  // A text is an array already.
  if (!Array.isArray(values)) return String(values);
  let text = '{';
  for (const [at, value] of values.entries()) {
    if (at > 0) text += ',';
    text += value === null ? 'null' : quoted(String(value));
  }
  return `${text}}`;
}

function quoted(text: string): string {
  const is_plain = !text.includes('"') && !text.includes('\\');
  return is_plain ? `"${text}"` : `"${text.replaceAll(/[\\"]/g, '\\$&')}"`;
}

const member = /"((?:[^"\\]|\\.)*)"|([^,{}"]+)/gs;

/** Of one dimension. */
function readArray(text: string): (string | null)[] {
  return [...text.matchAll(member)].map(([, quoted, bare]) => {
    if (quoted !== undefined) return quoted.replaceAll(/\\(.)/gs, '$1');
    return bare === 'NULL' || bare === undefined ? null : bare;
  });
}

const arrayOf = <T>(oid: number, read: (text: string) => T): PostgresType => ({
  to: oid,
  from: [oid],
  serialize: writeArray,
  parse: (text: string) => readArray(text).map((value) => (value === null ? null : read(value))),
});

export const arrayTypes = {
  text_array: arrayOf(1009, String),
  uuid_array: arrayOf(2951, String),
  integer_array: arrayOf(1007, Number),
};
