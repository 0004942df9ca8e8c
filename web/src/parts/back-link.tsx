import { Anchor, Group } from '@mantine/core';
import { useCompanyPath } from '../app/company.ts';
import { Icon } from '../app/icons.tsx';
import { PageLink } from '../app/navigate.tsx';
import { placeOf } from './list-place.ts';

/** Above the title, to the list that a page belongs to. */
export function BackLink({ to, children }: { to: string; children: string }) {
  const base = useCompanyPath();
  return (
    <Anchor
      component={PageLink}
      to={to}
      search={placeOf(`${base}${to}`)}
      size="sm"
      display="inline-block"
      mb={4}
    >
      <Group component="span" gap={4}>
        <Icon name="back" size={14} />
        {children}
      </Group>
    </Anchor>
  );
}
