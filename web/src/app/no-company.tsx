/** Outside of any company: there is none, or the address names another's. */
import { Button, Container, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { BackLink } from '../parts/back-link.tsx';
import { newCompanyWords } from '../parts/new-company-words.ts';
import { EmptyState } from '../parts/states.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { useCommonWords } from './common-words.ts';
import { useSession } from './session.tsx';
import { SignOutButton } from './shell/sign-out.tsx';
import { useWords } from './words.ts';

export function NoCompany() {
  const { account, company } = useCommonWords();
  const { add_company } = useWords(newCompanyWords);
  return (
    <Container component="main" py="xl">
      <PageTitle>{company.none_title}</PageTitle>
      <EmptyState icon="company" title="" text={company.none_text}>
        <Group justify="center">
          <Button component={Link} to={'/new-company' as never}>
            {add_company}
          </Button>
          <Button component={Link} to={'/account' as never} variant="default">
            {account.own}
          </Button>
          <SignOutButton />
        </Group>
      </EmptyState>
    </Container>
  );
}

/** The account of somebody who has no company: there is no menu around it. */
export function OwnAccount({ page: Page }: { page: ComponentType }) {
  const { actions } = useCommonWords();
  return (
    <Container component="main" py="xl">
      <BackLink to="/">{actions.back}</BackLink>
      <Page />
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
