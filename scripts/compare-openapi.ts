/**
 * Compares what two OpenAPI documents promise, however they are written.
 * `node scripts/compare-openapi.ts BEFORE AFTER` prints every difference and exits 1; `--texts` compares
 * texts too.
 */
import { readFileSync } from 'node:fs';
import { contractFacts } from './contract-facts.ts';

export type ContractDifference = { lost: string[]; added: string[] };

export function compareFacts(before: readonly string[], after: readonly string[]): ContractDifference {
  const [had, has] = [new Set(before), new Set(after)];
  return {
    lost: before.filter((fact) => !has.has(fact)),
    added: after.filter((fact) => !had.has(fact)),
  };
}

/** Lets a caller send more: another type, another value. */
const widening = /^(type|enum) /;
/** Asks nothing of the caller. */
const silent = /^(description|example)/;

/**
 * What a document newly asks of callers: limits on known members, and new members that must be sent. A new
 * operation asks nothing of today's callers.
 */
export function demandsMore(before: readonly string[], after: readonly string[]): string[] {
  const had = new Set(before);
  const places = new Set(before.map(placeOf));
  const operations = new Set(before.map((fact) => fact.split(' · ', 1)[0]));
  const kinds = new Set(before.map((fact) => `${placeOf(fact)} · ${kindOf(fact)}`));
  return after.filter((fact) => {
    const [operation, part = ''] = fact.split(' · ');
    if (had.has(fact) || !operations.has(operation) || !/^(path|query|header|body)$/.test(part)) return false;
    const [place, kind] = [placeOf(fact), kindOf(fact)];
    if (silent.test(kind)) return false;
    if (!places.has(place)) return kind === 'required' && isOfKnownObject(place, places);
    return !(widening.test(`${kind} `) && kinds.has(`${place} · ${kind}`));
  });
}

function placeOf(fact: string): string {
  return fact.slice(0, fact.lastIndexOf(' · '));
}

/** `maximum` of `maximum 100`. */
function kindOf(fact: string): string {
  return fact.slice(fact.lastIndexOf(' · ') + 3).split(' ', 1)[0] ?? '';
}

/** Whether the object that holds the member was there before. */
function isOfKnownObject(place: string, places: ReadonlySet<string>): boolean {
  const [, part] = place.split(' · ');
  if (part !== 'body') return true;
  const path = place.slice(place.lastIndexOf(' · ') + 3);
  const parent = path.includes('.') ? path.slice(0, path.lastIndexOf('.')) : '(all)';
  return places.has(`${placeOf(place)} · ${parent}`);
}

if (import.meta.main) {
  const [before, after] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
  const texts = process.argv.includes('--texts');
  const facts = (file: string | undefined) =>
    contractFacts(JSON.parse(readFileSync(file ?? '', 'utf8')), { texts });
  const { lost, added } = compareFacts(facts(before), facts(after));
  for (const fact of lost) console.log(`- ${fact}`);
  for (const fact of added) console.log(`+ ${fact}`);
  if (lost.length + added.length > 0) process.exitCode = 1;
}
