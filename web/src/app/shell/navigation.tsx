import { AppShell, Stack, Text } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { useCommonWords } from '../common-words.ts';
import { useCurrentCompany } from '../company.ts';
import { pageRefusal } from '../gated-page.tsx';
import { Icon } from '../icons.tsx';
import { PageLink } from '../navigate.tsx';
import { firstPath, type PageDefinition, type PageGroup } from '../page.ts';
import { pageGroups, pages } from '../pages.ts';
import { useLanguage } from '../words.ts';
import classes from './shell.module.css';

/** What the role closes is absent. */
export function useOpenPages(): readonly PageDefinition[] {
  const company = useCurrentCompany();
  return pages.filter((page) => pageRefusal(page, company) === null);
}

export function Navigation() {
  const open = useOpenPages();
  return (
    <AppShell.Section grow p="sm" style={{ overflowY: 'auto' }}>
      <Stack gap="md">
        {pageGroups.map((group) => (
          <Group key={group} group={group} listed={open.filter((page) => page.group === group)} />
        ))}
      </Stack>
    </AppShell.Section>
  );
}

function Group({ group, listed }: { group: PageGroup; listed: readonly PageDefinition[] }) {
  const { groups: titles } = useCommonWords();
  if (listed.length === 0) return null;
  return (
    <div>
      {group !== 'home' && (
        <Text size="xs" fw={600} c="dimmed" px="sm" pb={4}>
          {titles[group]}
        </Text>
      )}
      {listed.map((page) => (
        <Item key={page.id} page={page} />
      ))}
    </div>
  );
}

function Item({ page }: { page: PageDefinition }) {
  const language = useLanguage();
  const { id } = useCurrentCompany();
  const { pathname } = useLocation();
  const path = firstPath(page);
  const own = pathname.slice(id.length + 1) || '/';
  const is_current = own === path || (path !== '/' && own.startsWith(`${path}/`));
  return (
    <PageLink
      to={path}
      className={classes.link}
      data-current={is_current || undefined}
      aria-current={is_current ? 'page' : undefined}
    >
      <Icon name={page.icon} />
      {page.title[language]}
    </PageLink>
  );
}
