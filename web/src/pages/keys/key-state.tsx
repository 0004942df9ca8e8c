import { useWords } from '../../app/words.ts';
import { keyWords } from './words.ts';
import { State } from '../../parts/state.tsx';

export function KeyState({ is_active, is_revoked }: { is_active: boolean; is_revoked: boolean }) {
  const words = useWords(keyWords);
  const [color, text] = is_active
    ? ['green', words.active]
    : is_revoked
      ? ['red', words.revoked]
      : ['gray', words.expired];
  return <State color={color}>{text}</State>;
}

export function KeyEnvironment({ of }: { of: string }) {
  const words = useWords(keyWords);
  const is_live = of === 'live';
  return <State color={is_live ? 'indigo' : 'yellow'}>{is_live ? words.live : words.test}</State>;
}
