/** Outside of any company: there is none, or the address names another's. */
import { Button, Container, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../parts/states.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { useCommonWords } from './common-words.ts';
import { useSession } from './session.tsx';
import { SignOutButton } from './shell/sign-out.tsx';

export function NoCompany() {
  const { company } = useCommonWords();
  return (
    <Container component="main" py="xl">
      <PageTitle>{company.none_title}</PageTitle>
      <EmptyState icon="company" title="" text={company.none_text}>
        <SignOutButton />
      </EmptyState>
    </Container>
  );
}

export function UnknownCompany() {
  const { company } = useCommonWords();
  const { session } = useSession();
  return (
    <Container component="main" py="xl">
      <PageTitle>{company.unknown_title}</PageTitle>
      <EmptyState icon="company" title="" text={company.unknown_text}>
        <Group>
          {session.companies.length > 0 && (
            <Button component={Link} to="/">
              {company.go_first}
            </Button>
          )}
          <SignOutButton />
        </Group>
      </EmptyState>
    </Container>
  );
}
