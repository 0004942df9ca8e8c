import { Radio, Stack } from '@mantine/core';
import { useCommonWords } from '../../app/common-words.ts';
import type { Role } from '../../app/session.tsx';
import { useWords } from '../../app/words.ts';
import { peopleWords } from './words.ts';

const roleNames: readonly Role[] = ['owner', 'developer', 'accountant', 'reader'];

type Props = { value: Role; label: string; onChange(role: Role): void };

export function RoleChoice({ value, label, onChange }: Props) {
  const { roles } = useCommonWords();
  const { hints } = useWords(peopleWords);
  return (
    <Radio.Group
      label={label}
      value={value}
      onChange={(chosen) => onChange(roleNames.find((role) => role === chosen) ?? value)}
    >
      <Stack gap="xs" mt="xs">
        {roleNames.map((role) => (
          <Radio key={role} value={role} label={roles[role]} description={hints[role]} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
