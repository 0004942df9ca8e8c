/** The calls of one key or application. Those of the other environment are in the log of its company. */
import { Button } from '@mantine/core';
import { useCan, useCurrentCompany } from '../app/company.ts';
import { PageLink } from '../app/navigate.tsx';
import { defineWords, useWords } from '../app/words.ts';

const callWords = defineWords({ see: 'Ver sus peticiones' }, { see: 'See its requests' });

export function CallsOf({ id, environment }: { id: string; environment: 'live' | 'test' }) {
  const words = useWords(callWords);
  const can = useCan();
  const company = useCurrentCompany();
  if (environment !== company.environment || !can('list_request_logs')) return null;
  return (
    <Button component={PageLink} to="/requests" search={{ actor_id: id }} variant="default">
      {words.see}
    </Button>
  );
}
