/** The fonts come with the service; the machine's own are never used. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/**
 * Characters are looked for in this order. All weights of a family have the same characters, so the first stands for
 * all.
 */
export const families = [
  {
    package: '@expo-google-fonts/inter',
    files: ['400Regular/Inter_400Regular', '600SemiBold/Inter_600SemiBold', '700Bold/Inter_700Bold'],
  },
  {
    package: '@expo-google-fonts/noto-sans',
    files: ['400Regular/NotoSans_400Regular', '600SemiBold/NotoSans_600SemiBold', '700Bold/NotoSans_700Bold'],
  },
] as const;

/** @returns the TrueType files of each family */
export function readFonts(): Buffer[][] {
  const { resolve } = createRequire(import.meta.url);
  return families.map(({ package: name, files }) =>
    files.map((file) => readFileSync(resolve(`${name}/${file}.ttf`))),
  );
}
