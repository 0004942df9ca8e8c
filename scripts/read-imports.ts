/** Reads imports from the text of a source: in formatted source an import begins its line. */

/** `names` are those in braces; none for `* as x` and side effects. */
export type Import = { from: string; names: string[]; is_type: boolean; line: number };

const statement = /^[ \t]*(?:import|export)\b([^'"`;()=]*?)\bfrom\s*(['"])([^'"\n]+)\2/gm;
const effect = /^[ \t]*import\s*(['"])([^'"\n]+)\1/gm;
const dynamic = /\bimport\(\s*(['"])([^'"\n]+)\1\s*\)/g;

/** Blanks replace comments. Lines stay where they are. */
export function withoutComments(text: string): string {
  const token = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
  return text.replace(token, (piece) => (piece.startsWith('/') ? piece.replace(/[^\n]/g, ' ') : piece));
}

/** All imports and re-exports: static ones, then side effects, then dynamic ones. */
export function readImports(text: string): Import[] {
  const code = withoutComments(text);
  const lineOf = (match: RegExpMatchArray) => code.slice(0, match.index).split('\n').length;
  return [
    ...[...code.matchAll(statement)].map((match) => ({
      ...readClause(match[1] ?? ''),
      from: match[3] ?? '',
      line: lineOf(match),
    })),
    ...[...code.matchAll(effect)].map((match) => ({
      from: match[2] ?? '',
      names: [],
      is_type: false,
      line: lineOf(match),
    })),
    ...[...code.matchAll(dynamic)].map((match) => ({
      from: match[2] ?? '',
      names: [],
      is_type: false,
      line: lineOf(match),
    })),
  ];
}

function readClause(clause: string): { names: string[]; is_type: boolean } {
  const all_types = /^\s*type\b/.test(clause);
  const braces = /\{([\s\S]*)\}/.exec(clause);
  const listed = (braces?.[1] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const is_bare = clause.replace(/\{[\s\S]*\}/, '').replace(/[\s,]/g, '') === '';
  return {
    names: listed.map((name) => (name.replace(/^type\s+/, '').split(/\s+as\s+/)[0] ?? '').trim()),
    is_type: all_types || (is_bare && listed.length > 0 && listed.every((name) => name.startsWith('type '))),
  };
}
