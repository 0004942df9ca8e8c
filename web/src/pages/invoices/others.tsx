/** Other invoices, by their numbers. */
import { Anchor, Group } from '@mantine/core';
import { PageLink } from '../../app/navigate.tsx';

export function Others({ of }: { of: readonly { id: string | null; number: string }[] }) {
  return (
    <Group gap="xs">
      {of.map(({ id, number }) =>
        id === null ? (
          <span key={number}>{number}</span>
        ) : (
          <Anchor component={PageLink} key={id} to={`/invoices/${id}`}>
            {number}
          </Anchor>
        ),
      )}
    </Group>
  );
}
