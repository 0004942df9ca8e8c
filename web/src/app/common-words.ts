import { en } from './en.ts';
import { es } from './es.ts';
import { useWords, type Words } from './words.ts';

const common: Words<typeof es> = { es, en };

export const useCommonWords = () => useWords<typeof es>(common);
