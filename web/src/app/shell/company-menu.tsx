import { Badge, Button, Group, Menu, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useCommonWords } from '../common-words.ts';
import { useCurrentCompany } from '../company.ts';
import { Icon } from '../icons.tsx';
import { useSession } from '../session.tsx';
import classes from './shell.module.css';
import { openPalette } from './shortcuts.tsx';

/** More are found by their names, in the palette. */
const listedMax = 50;

export function CompanyMenu() {
  const words = useCommonWords();
  const { session } = useSession();
  const { name, live_id } = useCurrentCompany();
  return (
    <Menu position="bottom-start" width={300} shadow="md">
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          className={classes.company ?? ''}
          rightSection={<Icon name="down" size={14} />}
          px="xs"
          aria-label={words.company.current(name)}
        >
          <Text component="span" truncate fw={600} c="var(--mantine-color-text)">
            {name}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="70vh" style={{ overflowY: 'auto' }}>
        <Menu.Label>{words.company.choose}</Menu.Label>
        {session.companies.slice(0, listedMax).map((company) => (
          <Menu.Item
            key={company.id}
            component={Link}
            to={`/${company.id}` as never}
            aria-current={company.id === live_id ? 'true' : undefined}
          >
            <Group justify="space-between" wrap="nowrap" gap="xs">
              <div>
                <Text size="sm" lineClamp={2} fw={company.id === live_id ? 700 : 400}>
                  {company.name ?? words.company.no_tax_name}
                </Text>
                <Text size="xs" c="dimmed">
                  {company.tax_id}
                </Text>
              </div>
              <Badge variant="light" size="sm" flex="0 0 auto">
                {words.roles[company.role]}
              </Badge>
            </Group>
          </Menu.Item>
        ))}
        {session.companies.length > listedMax && (
          <Menu.Item leftSection={<Icon name="search" size={14} />} onClick={openPalette}>
            {words.company.search(session.companies.length)}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
