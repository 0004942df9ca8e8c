/**
 * These array types are declared because the driver would ask each new connection for all of them. If the connection
 * dies meanwhile, nobody can catch the rejection, and the process ends.
 */
import type { PostgresType } from 'postgres';

/** Quotes every text, so that commas, quotes and the word null mean nothing. */
function writeArray(values: unknown): string {
  // A text is an array already.
  if (!Array.isArray(values)) return String(values);
  const members = values.map((value) =>
    value === null ? 'null' : `"${String(value).replaceAll(/[\\"]/g, '\\$&')}"`,
  );
  return `{${members.join(',')}}`;
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
