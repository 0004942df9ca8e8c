/**
 * The guides: one file each under docs/guides/, in both languages. What follows `<!-- es -->` or `<!-- en -->` is of that
 * language; what follows `<!-- es en -->`, such as code, is of both.
 */
import type { Language } from './html.ts';
import { readPageText } from './page-texts.ts';

/** In the order in which people read them. */
export const guideNames = [
  'first-invoice',
  'verifactu',
  'checkout',
  'webhooks',
  'idempotency',
  'sandbox',
  'correctives',
  'migration',
  'limits',
  'email-states',
] as const;

export type GuideName = (typeof guideNames)[number];

export const guideLanguages = ['es', 'en'] as const satisfies readonly Language[];

export type Guide = {
  name: GuideName;
  title: string;
  /** Its first paragraph, in one line. */
  about: string;
  /** Markdown. */
  text: string;
};

/** @returns the guides of that language; none when the service runs without docs/ */
export function readGuides(language: Language): Guide[] {
  return guideNames.flatMap((name) => {
    const source = readPageText(`guides/${name}.md`);
    if (source === undefined) return [];
    const text = ofLanguage(source, language);
    const [, title = name] = /^# (.+)$/m.exec(text) ?? [];
    const [, about = ''] = /^# .+\n\n([^\n]+(?:\n[^\n]+)*)/m.exec(text) ?? [];
    return [{ name, title, about: about.replaceAll('\n', ' '), text }];
  });
}

/** The parts of a text that are of a language. */
export function ofLanguage(source: string, language: Language): string {
  const parts = source.split(/^<!-- (es|en|es en) -->\n/m).slice(1);
  const kept = parts.filter((_, i) => i % 2 === 1 && parts[i - 1]?.includes(language));
  return `${kept.map((part) => part.trim()).join('\n\n')}\n`;
}
