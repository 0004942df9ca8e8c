import { useWords } from '../../app/words.ts';
import type { VfRecord } from './calls.ts';
import { remedyOf } from './record-remedy.ts';
import { verifactuWords } from './words.ts';
import { State } from '../../parts/state.tsx';

const colors: Record<VfRecord['status'], string> = {
  pending: 'gray',
  sending: 'blue',
  accepted: 'green',
  accepted_with_errors: 'orange',
  rejected: 'red',
  kept: 'indigo',
};

export function RecordState({ status, is_blocked }: Pick<VfRecord, 'status' | 'is_blocked'>) {
  const words = useWords(verifactuWords);
  return (
    <State color={is_blocked ? 'red' : colors[status]}>
      {is_blocked ? words.blocked : words.states[status]}
    </State>
  );
}

/** What to do about a block, by its code. */
export function useBlockRemedy() {
  const { blocks } = useWords(verifactuWords);
  return (code: string | null): string => {
    if (code === null) return blocks.other;
    if (code.startsWith('aeat_')) return blocks.aeat;
    return (blocks as Readonly<Record<string, string>>)[code] ?? blocks.other;
  };
}

/** Null where there is nothing to say. */
export function useRemedy() {
  const { remedies } = useWords(verifactuWords);
  const blockRemedy = useBlockRemedy();
  return (record: VfRecord): string | null => {
    const remedy = remedyOf(record);
    if (remedy === null) return null;
    return remedy === 'block' ? blockRemedy(record.block_reason) : remedies[remedy];
  };
}
