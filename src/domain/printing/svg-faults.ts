/** What can be wrong with an SVG, in the words for who sent it. */

const faults = {
  not_svg: 'La imagen no es un SVG bien formado.',
  no_namespace: 'La imagen no es un SVG: falta xmlns="http://www.w3.org/2000/svg".',
  not_utf8: 'El SVG no está en UTF-8.',
  entities: 'El SVG no puede llevar entidades propias.',
  reaches_out: 'El SVG no puede referirse a nada fuera de él: solo a sus propios elementos (#id).',
  code: 'El SVG no puede llevar código (atributos on…).',
  complex: 'El SVG es demasiado complejo.',
  element: 'El SVG no puede llevar elementos <$>.',
  filter: 'El SVG no puede llevar filtros (filter).',
} as const;

/** What ends the look at a drawing; the message is for who sent it. */
export class SvgFault extends Error {}

/** @param name of the element, where the fault is one */
export function refuse(fault: keyof typeof faults, name = ''): SvgFault {
  return new SvgFault(faults[fault].replace('$', () => name));
}
