/** Whether an operation can be undone, and who outside learns of it. */
import type { Operation } from '../../kernel/operation.ts';

export function consequenceTexts({ effects, irreversible, reaches_outside }: Operation): string[] {
  return [
    effects === 'withdraw' ? 'Retira algo del servicio o lo deja sin efecto.' : '',
    irreversible ? 'No se puede deshacer.' : '',
    reaches_outside
      ? 'Llega a alguien de fuera del servicio: un destinatario de correo, la Agencia Tributaria o un receptor.'
      : '',
  ].filter((text) => text !== '');
}
