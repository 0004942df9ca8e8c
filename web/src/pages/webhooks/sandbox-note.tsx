/** A sandbox's events leave it by no endpoint: where they are instead. */
import { Alert, Anchor } from '@mantine/core';
import { useCurrentCompany } from '../../app/company.ts';
import { PageLink } from '../../app/navigate.tsx';
import { useSession } from '../../app/session.tsx';
import { useWords } from '../../app/words.ts';
import { webhookWords } from './words.ts';

export function SandboxNote() {
  const words = useWords(webhookWords);
  const { environment } = useCurrentCompany();
  const { session } = useSession();
  if (environment !== 'test') return null;
  return (
    <Alert mb="lg">
      {words.sandbox_note}{' '}
      <Anchor component={PageLink} to="/events" inherit c="inherit" underline="always">
        {words.sandbox_events}
      </Anchor>
      {' · '}
      <Anchor
        href={`${session.docs_url}/docs/webhooks`}
        target="_blank"
        rel="noopener"
        inherit
        c="inherit"
        underline="always"
      >
        {words.sandbox_how}
      </Anchor>
    </Alert>
  );
}
