/** Whether an operation can be undone, and who outside learns of it. */
import type { Operation } from '../../kernel/operation.ts';

export function consequenceTexts(operation: Operation): string[] {
  const { effects, irreversible, irreversible_for, reaches_outside } = operation;
  const undone = irreversible_for ? 'Según lo que se pida, no se puede deshacer.' : 'No se puede deshacer.';
  return [
    effects === 'withdraw' ? 'Retira algo del servicio o lo deja sin efecto.' : '',
    irreversible ? undone : '',
    reaches_outside
      ? 'Llega a alguien de fuera del servicio: un destinatario de correo, la Agencia Tributaria o un receptor.'
      : '',
  ].filter((text) => text !== '');
}
