/** Who stands where on a paper, and whom its text makes the supplier. */

export type PartySample = {
  what: string;
  /** Its first lines. */
  parties: readonly string[];
  /** `nothing` is no proposal, `nobody` one without a supplier. */
  proposed: 'nothing' | 'nobody' | 'other';
  warns: RegExp;
};

const is_own = /El emisor que se ha leído es esta empresa/;
const is_own_first = /El primer NIF del texto es el de esta empresa/;
const is_uncertain = /no dice con certeza/;
const third = '12345678Z';

/** @param own id of the company; `other` is a known supplier's */
export function partySamples(own: string, other: string): readonly PartySample[] {
  const [us, them] = [`Libros SL NIF ${own}`, `Papelera Sur NIF ${other}`];
  const registered = 'Inscrita en el Registro Mercantil de Madrid, tomo 7, NIF';
  return [
    {
      what: 'its client first, labelled',
      parties: ['Cliente', 'Papelera Sur', `NIF ${other}`, us],
      proposed: 'nothing',
      warns: is_own,
    },
    {
      what: 'its client last, labelled',
      parties: [us, `Facturar a: Papelera Sur, ${other}`],
      proposed: 'nothing',
      warns: is_own,
    },
    { what: 'itself first, no labels', parties: [us, them], proposed: 'nobody', warns: is_own_first },
    { what: 'its client first, no labels', parties: [them, us], proposed: 'nobody', warns: is_uncertain },
    {
      what: 'its client first, and its own registry',
      parties: [them, `Libros SL. ${registered} ${own}`],
      proposed: 'nothing',
      warns: is_own,
    },
    {
      what: 'its own registry behind its id, and its client below',
      parties: [`Libros SL NIF ${own}. Inscrita en el Registro Mercantil de Madrid`, them],
      proposed: 'nothing',
      warns: is_own,
    },
    {
      what: 'a supplier with its registry, and the company below',
      parties: [`Papelera Sur NIF ${other}. Inscrita en el Registro Mercantil de Madrid`, us],
      proposed: 'other',
      warns: /^$/,
    },
    {
      what: 'a registry between two ids',
      parties: [them, 'Inscrita en el Registro Mercantil de Madrid', us],
      proposed: 'nobody',
      warns: is_uncertain,
    },
    {
      what: 'itself as who issues',
      parties: [them, `Emisor: ${us}`],
      proposed: 'nothing',
      warns: is_own,
    },
    {
      what: 'the company as client, first',
      parties: [`Cliente: Libros SL ${own}`, them],
      proposed: 'other',
      warns: /^$/,
    },
    {
      what: 'a supplier that is labelled',
      parties: [`Proveedor: ${other}`, `Destinatario: Libros SL ${own}`],
      proposed: 'other',
      warns: /^$/,
    },
    {
      what: 'a supplier by its registry, behind the company',
      parties: [us, `Papelera Sur. ${registered} ${other}`],
      proposed: 'other',
      warns: /^$/,
    },
    { what: 'a supplier alone', parties: [them], proposed: 'other', warns: /^$/ },
    {
      what: 'two others',
      parties: [them, `Transporte: ${third}`],
      proposed: 'nobody',
      warns: is_uncertain,
    },
    {
      what: 'two others, one labelled',
      parties: [`Transporte: ${third}`, `Emisor: ${them}`],
      proposed: 'other',
      warns: /^$/,
    },
    {
      what: 'the company between two others',
      parties: [them, `Cliente: ${us}`, `Transporte: ${third}`],
      proposed: 'nobody',
      warns: is_uncertain,
    },
  ];
}
