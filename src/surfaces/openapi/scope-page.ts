/** The scopes of keys and applications, in both languages. docs/scopes.md is the English one. */
import { html } from '../../kernel/html.ts';
import { type Operation, scopesNeeded } from '../../kernel/operation.ts';
import { oauthMacros, type ScopeEntry, scopeCatalogue, scopeGroups } from '../../kernel/scopes.ts';
import { type Language, languageNames, otherOf, type PageParts } from './html.ts';
import { markdownTable, renderMarkdown } from './markdown.ts';
import { scopesPath } from './served-addresses.ts';

export const scopeWords = {
  es: { title: 'Permisos', about: 'Qué permite cada permiso, y qué operaciones lo piden.' },
  en: { title: 'Scopes', about: 'What each scope allows, and which operations ask for it.' },
} as const;

const words = {
  es: {
    lead: '`*` da todos los permisos que el plan y el entorno no niegan. Un permiso con módulo necesita un plan que lo incluya. Un permiso delicado nunca viene marcado en la pantalla de consentimiento.',
    head: ['Permiso', 'Permite', 'Módulo', 'OAuth', 'Notas', 'Operaciones'],
    sensitive: 'delicado',
    not_in_sandbox: 'no en el entorno de pruebas',
    not_assignable: 'no se puede dar',
    with: 'con',
    with_other: 'con otro',
    macros: 'Conjuntos de OAuth',
    macro_head: ['Conjunto', 'Permisos'],
  },
  en: {
    lead: '`*` grants every scope that the plan and the environment do not refuse. A scope with a module needs a plan that includes it. A sensitive scope is never pre-selected on the consent screen.',
    head: ['Scope', 'Allows', 'Module', 'OAuth', 'Notes', 'Operations'],
    sensitive: 'sensitive',
    not_in_sandbox: 'not in the sandbox',
    not_assignable: 'not assignable',
    with: 'with',
    with_other: 'with another',
    macros: 'OAuth macros',
    macro_head: ['Macro', 'Scopes'],
  },
} as const;

/** @returns Markdown, without the title */
export function scopesText(operations: readonly Operation[], language: Language): string {
  const w = words[language];
  const groups = scopeGroups.map(({ group, title }) => {
    const rows = scopeCatalogue
      .filter((entry) => entry.group === group)
      .map((entry) => rowOf(entry, operations, language));
    return `## ${title[language]}\n\n${markdownTable(w.head, rows)}`;
  });
  const macros = [...oauthMacros].map(([name, entries]) => [`\`${name}\``, String(entries.length)]);
  return [w.lead, ...groups, `## ${w.macros}`, markdownTable(w.macro_head, macros)].join('\n\n');
}

function rowOf(entry: ScopeEntry, operations: readonly Operation[], language: Language): string[] {
  const w = words[language];
  const { scope, description, module, oauth } = entry;
  const notes = [
    entry.sensitive && w.sensitive,
    entry.refused_in_sandbox && w.not_in_sandbox,
    !entry.assignable && w.not_assignable,
  ].filter((trait) => trait !== false);
  const whole = operations
    .filter((operation) => scopesNeeded(operation).includes(scope) || operation.profile_scope === scope)
    .map(({ name }) => `\`${name}\``);
  const by_input = operations.flatMap(({ name, input_scopes }) =>
    input_scopes
      .filter((asked) => asked.scope === scope)
      .map(({ param, if_changed }) => `\`${name}\` ${if_changed ? w.with_other : w.with} \`${param}\``),
  );
  return [
    `\`${scope}\``,
    description[language],
    module === null ? '' : `\`${module}\``,
    oauth === null ? '' : `\`${oauth}\``,
    notes.join(', '),
    [...whole, ...by_input].join(' '),
  ];
}

export function scopesPage(operations: readonly Operation[], language: Language): PageParts {
  const other = otherOf(language);
  const { title } = scopeWords[language];
  const { main, index } = renderMarkdown(`# ${title}\n\n${scopesText(operations, language)}\n`);
  return {
    title,
    path: scopesPath[language],
    language,
    other_language: { path: scopesPath[other], title: languageNames[other] },
    menu: html`<ul>${index.map(({ text, id }) => html`<li><a href="#${id}">${text}</a></li>`)}</ul>`,
    main,
  };
}
