/** The rules for the header: taxpayer, sender, marks of voluntary remission. */
import type { Holder } from './certificates.ts';
import { readDay } from './dates.ts';
import { isUnknownTaxpayer } from './magic-values.ts';
import { MessageFault } from './message-fault.ts';
import { hasNifForm, isNif } from './nif.ts';
import { childOf, textOf, type Xml } from './xml-tree.ts';

/** @throws {MessageFault} 4104, 4105, 4106, 4107, 4112, 4116, 4117, 4120, 4126 */
export function checkHeader(header: Xml | undefined, holder: Holder, today: string): void {
  const taxpayer = textOf(childOf(header, 'ObligadoEmision'), 'NIF') ?? '';
  checkTaxpayer(taxpayer);
  const representative = textOf(childOf(header, 'Representante'), 'NIF');
  if (representative !== undefined) {
    if (!hasNifForm(representative)) throw new MessageFault(4117);
    if (!isNif(representative)) throw new MessageFault(4105);
  }
  if (childOf(header, 'RemisionRequerimiento')) throw new MessageFault(4126);
  const end = textOf(childOf(header, 'RemisionVoluntaria'), 'FechaFinVeriFactu');
  if (end !== undefined) checkEnd(end, Number(today.slice(0, 4)));
  checkHolder(taxpayer, holder);
}

/**
 * @returns whose records the query asks for
 * @throws {MessageFault} 4102, 4104, 4107, 4112, 4116, 4132
 */
export function checkQueryHeader(
  header: Xml | undefined,
  holder: Holder,
): { nif: string; as: 'issuer' | 'recipient' } {
  const issuer = textOf(childOf(header, 'ObligadoEmision'), 'NIF');
  if (issuer !== undefined) {
    checkTaxpayer(issuer);
    checkHolder(issuer, holder);
    return { nif: issuer, as: 'issuer' };
  }
  const recipient = textOf(childOf(header, 'Destinatario'), 'NIF');
  if (recipient === undefined) throw new MessageFault(4102, 'Cabecera: falta ObligadoEmision o Destinatario');
  if (holder.nif !== recipient) throw new MessageFault(4132);
  return { nif: recipient, as: 'recipient' };
}

function checkTaxpayer(nif: string): void {
  if (!hasNifForm(nif)) throw new MessageFault(4116, nif);
  if (!isNif(nif)) throw new MessageFault(4104, nif);
  if (isUnknownTaxpayer(nif)) throw new MessageFault(4107, nif);
}

function checkHolder(taxpayer: string, holder: Holder): void {
  if (holder.nif !== taxpayer && !holder.is_collaborator) throw new MessageFault(4112, `NIF: ${holder.nif}`);
}

/** 31 December of this year or the last. */
function checkEnd(end: string, year: number): void {
  const day = readDay(end);
  if (!day) throw new MessageFault(4106, end);
  if (day !== `${year}-12-31` && day !== `${year - 1}-12-31`) throw new MessageFault(4120, end);
}
