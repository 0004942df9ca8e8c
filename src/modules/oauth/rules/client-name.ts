/** The name of an application, which people who never heard of it read before they allow it something. */
import { canBeRead, wrongName } from '../../../kernel/readable-name.ts';

/** Nobody sees them, or they change how others are shown. */
const unseen = /[\p{C}\p{Zl}\p{Zp}]/u;
/** Those of many scripts and emoji: they join, or choose a shape. */
const joiners = /[\u200c\u200d]/g;
/** @returns what is wrong, for the developer of the application; null: nothing */
export function nameFault(name: string): string | null {
  if (unseen.test(name.replace(joiners, '')))
    return 'No puede llevar signos invisibles, ni que cambien cómo se ve el resto.';
  return canBeRead(name) ? null : wrongName;
}
