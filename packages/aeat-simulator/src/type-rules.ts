/** The rules by kind of invoice. */
import { absolute, sum } from './decimals.ts';
import { judgeNumber } from './identity-rules.ts';
import type { Alta } from './records.ts';
import { type Facts, firstOf } from './rule.ts';

const MACRO = 100_000_000_00n;
/** 3,000.00 plus a tolerance of 10.00. */
const SIMPLIFIED_MAX = 3_010_00n;

export function judgeType(alta: Alta, facts: Facts): number | null {
  return firstOf(
    () => judgeFlags(alta),
    () => judgeCorrective(alta),
    () => judgeMarks(alta),
    () => judgeThirdParty(alta, facts.taxpayer_nif),
    () => judgeAmount(alta),
  );
}

/** RechazoPrevio means nothing without a subsanación. */
function judgeFlags({ subsanacion, rejected_before }: Alta): number | null {
  if (subsanacion === 'S') return null;
  if (rejected_before === 'X') return 1153;
  return rejected_before === 'S' ? 1161 : null;
}

function judgeCorrective(alta: Alta): number | null {
  const is_corrective = alta.type.startsWith('R');
  if (is_corrective && alta.corrective_kind === undefined) return 1114;
  if (!is_corrective && alta.corrective_kind !== undefined) return 1115;
  if (alta.replaced && alta.type !== 'F3') return 1116;
  if (alta.rectified && !is_corrective) return 1117;
  const is_substitution = alta.corrective_kind === 'S';
  if (is_substitution && !alta.has_rectified_amounts) return 1118;
  if (!is_substitution && alta.has_rectified_amounts) return 1119;
  for (const { number } of [...(alta.rectified ?? []), ...(alta.replaced ?? [])]) {
    const fault = judgeNumber(number);
    if (fault) return fault;
  }
  return null;
}

function judgeMarks(alta: Alta): number | null {
  const names_recipient = !['F2', 'R5'].includes(alta.type);
  if (alta.is_simplified_with_recipient && !names_recipient) return 1183;
  if (alta.is_without_recipient && names_recipient) return 1185;
  if (alta.has_coupon && !['R1', 'R5'].includes(alta.type)) return 1157;
  return null;
}

function judgeThirdParty({ issued_by, third_party, recipients }: Alta, taxpayer_nif: string): number | null {
  if (issued_by === 'D' && !recipients) return 1158;
  if (third_party && issued_by === undefined) return 1155;
  if (third_party && issued_by === 'D') return 1159;
  if (!third_party) return issued_by === 'T' ? 1186 : null;
  if (third_party.nif === taxpayer_nif) return 1188;
  return third_party.id_type === '07' ? 1211 : null;
}

function judgeAmount(alta: Alta): number | null {
  const is_macro = absolute(alta.total) >= MACRO;
  if (alta.is_macro && !is_macro) return 1138;
  if (!alta.is_macro && is_macro) return 1139;
  const is_limited = alta.type === 'F2' && alta.agreement === undefined && !alta.is_without_recipient;
  const amount = sum(alta.details.flatMap(({ base, quota }) => [base, quota]));
  return is_limited && amount > SIMPLIFIED_MAX ? 1150 : null;
}
