import { Badge } from '@mantine/core';
import { useWords } from '../../app/words.ts';
import { keyWords } from './words.ts';

export function KeyState({ is_active, is_revoked }: { is_active: boolean; is_revoked: boolean }) {
  const words = useWords(keyWords);
  const [color, text] = is_active
    ? ['green', words.active]
    : is_revoked
      ? ['red', words.revoked]
      : ['gray', words.expired];
  return (
    <Badge color={color} variant="light">
      {text}
    </Badge>
  );
}

export function KeyEnvironment({ of }: { of: string }) {
  const words = useWords(keyWords);
  const is_live = of === 'live';
  return (
    <Badge color={is_live ? 'indigo' : 'yellow'} variant="light">
      {is_live ? words.live : words.test}
    </Badge>
  );
}
