import { ActionIcon, Burger, Button, Group, Kbd, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useCommonWords } from '../common-words.ts';
import { useCurrentCompany } from '../company.ts';
import { Icon } from '../icons.tsx';
import { AccountMenu } from './account-menu.tsx';
import { CompanyMenu } from './company-menu.tsx';
import { openPalette } from './shortcuts.tsx';
import { useTwin } from './twin.ts';

type Props = { height: number; is_menu_open: boolean; toggleMenu(): void };

export function Header({ height, is_menu_open, toggleMenu }: Props) {
  const words = useCommonWords();
  return (
    <Group h={height} px={{ base: 'xs', sm: 'md' }} gap="xs" wrap="nowrap" justify="space-between">
      <Group gap="xs" wrap="nowrap" miw={0}>
        <Burger
          opened={is_menu_open}
          onClick={toggleMenu}
          hiddenFrom="sm"
          size="sm"
          aria-label={is_menu_open ? words.menu_close : words.menu}
          aria-expanded={is_menu_open}
        />
        <Text component="span" fw={800} fz="lg" visibleFrom="sm" c="var(--mantine-color-anchor)">
          {words.product}
        </Text>
        <CompanyMenu />
      </Group>
      <Group gap="xs" wrap="nowrap">
        <Search />
        <SandboxSwitch />
        <AccountMenu />
      </Group>
    </Group>
  );
}

const is_mac = /mac|iphone|ipad/i.test(navigator.userAgent);
const paletteKeys = is_mac ? '⌘K' : 'Ctrl K';

function Search() {
  const { palette } = useCommonWords();
  return (
    <>
      <ActionIcon variant="default" size={36} onClick={openPalette} hiddenFrom="md" aria-label={palette.open}>
        <Icon name="search" />
      </ActionIcon>
      <Button
        variant="default"
        onClick={openPalette}
        leftSection={<Icon name="search" size={16} />}
        rightSection={<Kbd>{paletteKeys}</Kbd>}
        visibleFrom="md"
        fw={400}
      >
        {palette.open}
      </Button>
    </>
  );
}

function SandboxSwitch() {
  const { sandbox } = useCommonWords();
  const { environment } = useCurrentCompany();
  const twin = useTwin();
  if (twin === null || environment === 'test') return null;
  return (
    <UnstyledButton
      component={Link}
      to={twin as never}
      fz="sm"
      fw={600}
      px="xs"
      py={6}
      c="var(--mantine-color-anchor)"
    >
      <VisuallyHidden>{sandbox.to_test}</VisuallyHidden>
      <Group component="span" gap={6} wrap="nowrap" aria-hidden="true">
        <Icon name="flask" size={16} />
        <Text component="span" inherit visibleFrom="xs">
          {sandbox.test}
        </Text>
      </Group>
    </UnstyledButton>
  );
}
