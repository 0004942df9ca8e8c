/**
 * Prints one document at a time. It is no thread (ADR 23): a process can be ended while it hangs inside the compiler,
 * and its fall takes nothing else with it.
 */
import { writeFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import type { PrintedDocument, PrintedFormat } from '../../domain/printing/printed-document.ts';
import type { Answered } from '../processes/process-seat.ts';
import { documentFiles } from './document-files.ts';
import { coveredRanges } from './font-coverage.ts';
import { readFonts } from './fonts.ts';
import { makePrintableText } from './printable-text.ts';
import { readTemplates } from './templates.ts';
import { CompilerFallen, type EngineName } from './typesetter.ts';

export type PrintRequest = { document: PrintedDocument; format: PrintedFormat };

/** `logo_fault`: why the document went out without its logo. */
type PrintAnswer = Answered<{ pdf: Uint8Array; logo_fault: string | null }>;

/**
 * V8 compiles a function once more when it has run for so many bytes. By itself it does so fifteen times earlier, and the first documents
 * of a process wait for it.
 */
const lateOptimising = '--wasm-tiering-budget=200000000';

const [engine, templates] = process.argv.slice(2) as [EngineName, string];
const fonts = readFonts();
const printable = makePrintableText(fonts.flatMap(([first]) => coveredRanges(first!)));
const parts = { templates: readTemplates(templates), fonts: fonts.flat() };
if (engine === 'wasm') setFlagsFromString(lateOptimising);
const typesetter =
  engine === 'native'
    ? (await import('./typst-native.ts')).makeNativeTypesetter(parts)
    : await (await import('./typst-wasm.ts')).makeWasmTypesetter(parts);

function answer({ document, format }: PrintRequest): PrintAnswer {
  try {
    return { done: printLogoOrNot(document, format), resident: process.memoryUsage.rss() };
  } catch (error) {
    // Only another process can print the next document.
    if (error instanceof CompilerFallen) throw error;
    return { fault: messageOf(error) };
  }
}

/** The compiler may refuse a picture that passed the checks. */
function printLogoOrNot(document: PrintedDocument, format: PrintedFormat) {
  try {
    return print(document, format);
  } catch (error) {
    const { logo, signature } = document;
    if ((logo === null && !signature?.image) || error instanceof CompilerFallen) throw error;
    const bare = {
      ...document,
      logo: null,
      ...(signature ? { signature: { ...signature, image: null } } : {}),
    };
    return { ...print(bare, format), logo_fault: messageOf(error) };
  }
}

function print(document: PrintedDocument, format: PrintedFormat) {
  const { files, logo_fault } = documentFiles(document, format, printable);
  return { pdf: typesetter.print(files, new Date(document.made_at)), logo_fault };
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

// When memory runs out, the system shall end this process and not the database. Only Linux has the file.
try {
  writeFileSync('/proc/self/oom_score_adj', '1000');
} catch {}

// A terminal's signal reaches the whole group, but the service still needs its last documents.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.once('disconnect', () => process.exit());
process.on('message', (request: PrintRequest) => process.send?.(answer(request)));
// The pool ends a process by SIGKILL, and then nothing of what it compiled would be kept.
process.once('message', () => setImmediate(flushCompileCache));
