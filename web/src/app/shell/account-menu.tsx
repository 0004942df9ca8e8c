import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core';
import { useCommonWords } from '../common-words.ts';
import { Icon } from '../icons.tsx';
import { PageLink } from '../navigate.tsx';
import { firstPath } from '../page.ts';
import { pages } from '../pages.ts';
import { useSession } from '../session.tsx';
import { SignOutForm, signOut } from './sign-out.tsx';

const schemes = ['auto', 'light', 'dark'] as const;

export function AccountMenu() {
  const words = useCommonWords();
  const { session } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const account = pages.find(({ id }) => id === 'me');
  return (
    <>
      <SignOutForm />
      <Menu position="bottom-end" width={240} shadow="md">
        <Menu.Target>
          <ActionIcon
            variant="default"
            size={36}
            radius="xl"
            aria-label={words.account.menu(session.user.name)}
          >
            <Icon name="person" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            {session.user.name}
            <br />
            {session.user.email}
          </Menu.Label>
          {account && (
            <Menu.Item
              component={PageLink}
              to={firstPath(account)}
              leftSection={<Icon name="person" size={16} />}
            >
              {words.account.own}
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Label>{words.scheme.label}</Menu.Label>
          <Menu.RadioGroup
            value={colorScheme}
            onChange={(scheme) => setColorScheme(schemes.find((one) => one === scheme) ?? 'auto')}
          >
            {schemes.map((scheme) => (
              <Menu.RadioItem key={scheme} value={scheme}>
                {words.scheme[scheme]}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          <Menu.Divider />
          <Menu.Item onClick={signOut} leftSection={<Icon name="exit" size={16} />}>
            {words.account.sign_out}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
