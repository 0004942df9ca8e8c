/** What a person wants to see first: the way to the first invoice, what is wrong, and how the API is used. */
import { SimpleGrid } from '@mantine/core';
import { useCan, useCurrentCompany } from '../../app/company.ts';
import { useWords } from '../../app/words.ts';
import { PageTitle } from '../../parts/page-title.tsx';
import { Attention } from './attention.tsx';
import { FirstSteps } from './first-steps.tsx';
import { Refusals } from './refusals.tsx';
import { Usage } from './usage.tsx';
import { homeWords } from './words.ts';

export default function Home() {
  const words = useWords(homeWords);
  const { name } = useCurrentCompany();
  const can = useCan();
  const sees_requests = can('list_request_logs');
  return (
    <>
      <PageTitle text={name}>{words.title}</PageTitle>
      <FirstSteps />
      <SimpleGrid cols={{ base: 1, md: sees_requests ? 2 : 1 }} spacing="lg" verticalSpacing={0}>
        <Attention />
        {sees_requests && <Usage />}
      </SimpleGrid>
      {sees_requests && <Refusals />}
    </>
  );
}
