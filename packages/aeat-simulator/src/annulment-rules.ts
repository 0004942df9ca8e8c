/** Who made the anulación. */
import { isNif } from './nif.ts';
import { judgeIdentification } from './person-rules.ts';
import type { Annulment } from './records.ts';
import type { Facts } from './rule.ts';

export function judgeAnnulment(annulment: Annulment, { taxpayer_nif, today }: Facts): number | null {
  const { generated_by, generator } = annulment;
  if ((generated_by === undefined) !== (generator === undefined)) return 1224;
  if (!generator) return null;
  if (generated_by === 'E') {
    if (generator.nif === undefined) return 1227;
    return isNif(generator.nif) ? null : 1258;
  }
  if (generated_by === 'T' && generator.id_type === '07') return 1229;
  if (generator.country === 'ES' && generated_by === 'D' && !['03', '07'].includes(generator.id_type ?? ''))
    return 1230;
  if (generator.country === 'ES' && generated_by === 'T' && generator.id_type !== '03') return 1232;
  if (generator.nif === undefined) return judgeIdentification(generator, today);
  if (!isNif(generator.nif)) return 1258;
  return generator.nif === taxpayer_nif ? 1259 : null;
}
