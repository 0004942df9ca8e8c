import { useWords } from '../../app/words.ts';
import type { VfRecord } from './calls.ts';
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

/** Null where there is nothing to do. */
export function useRemedy() {
  const { remedies } = useWords(verifactuWords);
  const blockRemedy = useBlockRemedy();
  return ({ is_blocked, block_reason, status, can_subsanar }: VfRecord): string | null => {
    if (is_blocked) return blockRemedy(block_reason);
    if (status === 'rejected') return can_subsanar ? remedies.subsanar : remedies.rejected;
    return status === 'accepted_with_errors' && can_subsanar ? remedies.with_errors : null;
  };
}
