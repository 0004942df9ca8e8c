/** The rules for each line of the breakdown. */
import { absolute } from './decimals.ts';
import { judgeRates } from './rate-rules.ts';
import type { Alta, Detail } from './records.ts';
import { judgeRegime } from './regime-rules.ts';
import { type Facts, firstOf } from './rule.ts';

/** 10.00 in hundredths, times 10,000 like the products beside it. */
const TOLERANCE = 10_00n * 10_000n;

export function judgeBreakdown(alta: Alta, facts: Facts): number | null {
  for (const detail of alta.details) {
    const code = firstOf(
      () => judgeRegime(alta, detail, facts),
      () => judgeQualification(alta, detail),
      () => judgeQuota(alta, detail),
      () => judgeRates(alta, detail),
    );
    if (code) return code;
  }
  return null;
}

const isVatOrIgic = ({ tax }: Detail) => tax === '01' || tax === '03';

function judgeQualification(alta: Alta, detail: Detail): number | null {
  if (!isVatOrIgic(detail)) return null;
  const { qualification, quota, rate, surcharge, surcharge_rate } = detail;
  const has_any = [rate, quota, surcharge_rate, surcharge].some((value) => value !== undefined);
  if (detail.exemption !== undefined) return has_any ? 1238 : judgeExemption(alta, detail);
  if (detail.tax === '01' && qualification?.startsWith('N') && has_any) return 1237;
  if (qualification === 'S2') {
    if (['F2', 'R5'].includes(alta.type)) return 1197;
    if (rate !== 0n || quota !== 0n) return 1198;
  }
  if (qualification !== 'S1') {
    if ((quota ?? 0n) !== 0n) return 1207;
    return surcharge_rate === undefined && surcharge === undefined ? null : 1281;
  }
  if ((surcharge_rate === undefined) !== (surcharge === undefined)) return 1284;
  if (rate !== undefined && quota !== undefined) return null;
  return detail.regime === '06' ? 1209 : 1208;
}

/** E7 and E8 belong to the Canary Islands. E5 needs a VAT number of another member state. */
function judgeExemption(alta: Alta, { tax, exemption }: Detail): number | null {
  if (tax !== '03' && (exemption === 'E7' || exemption === 'E8')) return 1182;
  const is_by_nif = alta.recipients?.some(({ nif }) => nif !== undefined) ?? false;
  return tax === '01' && exemption === 'E5' && is_by_nif ? 1289 : null;
}

/** R2, R3 and corrections by differences are free. */
function judgeQuota(alta: Alta, detail: Detail): number | null {
  if (!isVatOrIgic(detail) || detail.qualification !== 'S1') return null;
  if (alta.corrective_kind === 'I' || alta.type === 'R2' || alta.type === 'R3') return null;
  const { cost_base, quota = 0n, rate = 0n, surcharge = 0n, surcharge_rate = 0n } = detail;
  const base = cost_base ?? detail.base;
  const has_cost = cost_base !== undefined;
  if (quota * base < 0n) return has_cost ? 1140 : 1143;
  // The published rule covers the quota only; a wrong surcharge has no code.
  const is_off =
    absolute(quota * 10_000n - base * rate) > TOLERANCE ||
    absolute(surcharge * 10_000n - base * surcharge_rate) > TOLERANCE;
  if (!is_off) return null;
  return has_cost ? 1144 : 1142;
}
