/**
 * Texts in Spanish and English. Each page has its own in `words.ts`; those of all are in `es.ts` and `en.ts`. A word that
 * one language lacks fails the type check.
 */
import { createContext, useContext } from 'react';

export type Language = 'es' | 'en';

type Word = string | ((...values: never[]) => string);
export type Dictionary = { readonly [name: string]: Word | Dictionary };

/** The same words, whatever they say. */
export type Same<T> = {
  readonly [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends (...values: infer A) => string
      ? (...values: A) => string
      : Same<T[K]>;
};

export type Words<T> = { readonly es: Same<T>; readonly en: Same<T> };

export function defineWords<const T extends Dictionary>(es: T, en: Same<T>): Words<T> {
  return { es: es as unknown as Same<T>, en };
}

export const LanguageContext = createContext<Language>('es');

export const useLanguage = () => useContext(LanguageContext);

export function useWords<T>(words: Words<T>): Same<T> {
  return words[useLanguage()];
}
