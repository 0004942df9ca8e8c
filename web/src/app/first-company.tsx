/** The first company of somebody who has none. */
import { Container } from '@mantine/core';
import { BackLink } from '../parts/back-link.tsx';
import { NewCompany } from '../parts/new-company.tsx';
import { useCommonWords } from './common-words.ts';
import { useGo } from './navigate.tsx';

export default function FirstCompany() {
  const { actions } = useCommonWords();
  const go = useGo();
  return (
    <Container component="main" py="xl">
      <NewCompany above={<BackLink to="/">{actions.back}</BackLink>} cancel={() => go('/')} />
    </Container>
  );
}
