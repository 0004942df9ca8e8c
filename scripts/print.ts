/**
 * Prints documents from the source into docs/. They are committed, so the diff shows a change of contract.
 * `node scripts/print.ts openapi.json` prints one. `--check` writes nothing, names stale files and exits 1.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { declaredProblems } from '../src/kernel/problem.ts';
import { commandVariables, secretNames, settings } from '../src/main/config.ts';
import { catalog } from '../src/modules/catalog.ts';
import { catalogItems } from '../src/modules/event-list.ts';
import {
  printDocuments,
  printEvents,
  printOperations,
  printPlans,
  printResourceTypes,
  printSandbox,
  printScopes,
  printTools,
} from './dashboard-catalogue.ts';
import { makeOpenApi } from '../src/surfaces/openapi/document.ts';
import { makeEventSchemas } from '../src/surfaces/openapi/event-schemas.ts';
import '../src/surfaces/mcp/mcp.errors.ts';
import { toolOf } from '../src/surfaces/mcp/tool.ts';
import { toolOperations } from '../src/surfaces/mcp/tool-order.ts';
import { readExampleAnswers } from '../src/surfaces/openapi/examples.ts';
import { makePostmanCollection } from '../src/surfaces/openapi/postman-collection.ts';
import { markdownTable } from '../src/surfaces/openapi/markdown.ts';
import { printJson } from '../src/surfaces/openapi/print-json.ts';
import { scopesText } from '../src/surfaces/openapi/scope-page.ts';

/** Of a service without any setting. */
const public_url = `http://${settings.HOST.default}:${settings.PORT.default}`;

const notice = 'Printed by `npm run print`; do not edit.';

function errors(): string {
  const rows = declaredProblems()
    .toSorted((a, b) => a.status - b.status)
    .map(({ code, status, type, message, help }) => [
      `\`${code}\``,
      String(status),
      `\`${type}\``,
      message.en,
      help.en,
    ]);
  return `# Errors

${notice} Each code has its page in the service, under \`/docs/errors/{code}\`. Answers have the message in Spanish; words in
braces are filled in.

${markdownTable(['Code', 'Status', 'Type', 'Message', 'Help'], rows)}
`;
}

function configuration(): string {
  const rows = Object.entries(settings).map(([name, { default: fallback, help }]) => [
    `\`${name}\``,
    fallback === null || fallback === '' ? '' : `\`${fallback}\``,
    help,
  ]);
  return `# Configuration

${notice} The service is configured by its environment. A wrong value, or a \`FOLIO_\` name that is not on this
page, is refused at the start; \`FOLIO_TEST_\` names belong to the test run and are passed over.

Where the folder that it is started in has a file \`.env\`, its lines \`NAME=value\` are added, and the environment goes before it;
[\`.env.example\`](../.env.example) has them all. Secrets may be in files, as container engines mount them: \`NAME_FILE\` names the file of
${inWords(secretNames.map((name) => `\`${name}\``))}. The file holds the value alone, and a value that is given both ways is refused.

${markdownTable(['Name', 'Default', 'Meaning'], rows)}

Commands take three more, which the service passes over.

${markdownTable(
  ['Name', 'Meaning'],
  Object.entries(commandVariables).map(([name, help]) => [`\`${name}\``, help]),
)}
`;
}

function inWords(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** Each setting with its default, to be copied and filled in. */
function envExample(): string {
  const entries = Object.entries(settings).map(([name, { default: fallback, help }]) => {
    const instead = secretNames.includes(name) ? [`# ${name}_FILE=/run/secrets/${name.toLowerCase()}`] : [];
    return [...wrapped(help).map((line) => `# ${line}`), `# ${name}=${fallback ?? ''}`, ...instead].join(
      '\n',
    );
  });
  const head = [
    'Printed by npm run print; do not edit. Copy it to .env, or name a copy in FOLIO_ENV_FILE, and take the # from before',
    'what you set. The environment goes before it. Secrets may be in files of their own (NAME_FILE).',
  ];
  return `${head.map((line) => `# ${line}`).join('\n')}\n\n${entries.join('\n\n')}\n`;
}

/** Lines of at most 118 signs. */
function wrapped(text: string): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (longer.length > 118) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

function scopes(): string {
  return `# Scopes

${notice} The service shows it in Spanish too.

${scopesText(catalog, 'en')}
`;
}

function events(): string {
  const rows = catalogItems.map(({ name, description, status }) => [`\`${name}\``, description.en, status]);
  return `# Events

${notice} \`available\` is what this build emits: the test run compares the list with what it saw.

${markdownTable(['Event', 'When', 'Status'], rows)}
`;
}

/** A written page whose code blocks that name a file are filled with its text. */
function filled(name: string): string {
  const page = readPrinted(name) ?? '';
  const block = /^(```\w+ file=(\S+)\n).*?^```$/gms;
  return page.replace(block, (_, head: string, file: string) => `${head}${readPrinted(file) ?? ''}\`\`\``);
}

/** By file name. */
const prints: Record<string, () => string> = {
  'openapi.json': () => printJson(makeOpenApi(catalog, { public_url, answers: readExampleAnswers() })),
  'postman-collection.json': () => printJson(makePostmanCollection(catalog, public_url)),
  'errors.md': errors,
  'configuration.md': configuration,
  '../.env.example': envExample,
  'scopes.md': scopes,
  'events.md': events,
  'mcp-tools.json': () => printJson({ tools: toolOperations(catalog).map((operation) => toolOf(operation)) }),
  'event-schemas.json': () => `${JSON.stringify(makeEventSchemas(), null, 2)}\n`,
  'webhooks.md': () => filled('webhooks.md'),
  'clients.md': () => filled('clients.md'),
  '../web/src/printed/documents.ts': printDocuments,
  '../web/src/printed/events.ts': printEvents,
  '../web/src/printed/operations.ts': printOperations,
  '../web/src/printed/plans.ts': printPlans,
  '../web/src/printed/sandbox.ts': printSandbox,
  '../web/src/printed/scopes.ts': printScopes,
  '../web/src/printed/tools.ts': printTools,
  '../web/src/printed/resources.ts': printResourceTypes,
};

const docs = join(dirname(dirname(fileURLToPath(import.meta.url))), 'docs');
const stale: string[] = [];
const chosen = process.argv.slice(2).filter((word) => word !== '--check');

for (const [name, print] of Object.entries(prints)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  const text = print();
  if (text === readPrinted(name)) continue;
  stale.push(join('docs', name));
  if (process.argv.includes('--check')) continue;
  mkdirSync(dirname(join(docs, name)), { recursive: true });
  writeFileSync(join(docs, name), text);
}

if (process.argv.includes('--check') && stale.length > 0) {
  console.error(`Stale, run "npm run print": ${stale.join(', ')}`);
  process.exitCode = 1;
} else if (stale.length > 0) {
  console.log(`Printed ${stale.join(', ')}`);
}

/** @returns the file with LF line ends; undefined when there is none */
function readPrinted(name: string): string | undefined {
  try {
    return readFileSync(join(docs, name), 'utf8').replaceAll('\r\n', '\n');
  } catch {
    return undefined;
  }
}
