import type { Language } from '../app/words.ts';

export const locales: Record<Language, string> = { es: 'es-ES', en: 'en-GB' };

/** Formats are made once each: making one takes longer than many uses, and a list uses hundreds. */
export function once<T>(
  make: (language: string, detail: string) => T,
): (language: string, detail?: string) => T {
  const made = new Map<string, T>();
  return (language, detail = '') => {
    const key = `${language} ${detail}`;
    const known = made.get(key);
    if (known !== undefined) return known;
    const format = make(language, detail);
    made.set(key, format);
    return format;
  };
}
