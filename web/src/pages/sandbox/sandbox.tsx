/** Only the sandbox has a clock to move and data to delete; a live company is led there. */
import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useCan, useCurrentCompany } from '../../app/company.ts';
import { Icon } from '../../app/icons.tsx';
import { useWords } from '../../app/words.ts';
import { PageTitle } from '../../parts/page-title.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { ClockSection } from './clock.tsx';
import { DeleteData } from './delete-data.tsx';
import { Emails } from './emails.tsx';
import { MagicValues } from './magic-values.tsx';
import { sandboxWords } from './words.ts';

export default function Sandbox() {
  const { environment } = useCurrentCompany();
  return environment === 'test' ? <SandboxPage /> : <OnLive />;
}

function SandboxPage() {
  const words = useWords(sandboxWords);
  const can = useCan();
  return (
    <>
      <PageTitle text={words.about}>{words.title}</PageTitle>
      <ClockSection />
      {can('list_emails') && <Emails />}
      <MagicValues />
      {can('delete_sandbox_data') && <DeleteData />}
    </>
  );
}

function OnLive() {
  const words = useWords(sandboxWords);
  const { sandbox_id } = useCurrentCompany();
  const navigate = useNavigate();
  return (
    <>
      <PageTitle>{words.title}</PageTitle>
      <EmptyState icon="flask" title={words.live_title} text={words.live_text}>
        {sandbox_id !== null && (
          <Button
            leftSection={<Icon name="flask" size={16} />}
            onClick={() => void navigate({ to: `/${sandbox_id}/sandbox` } as never)}
          >
            {words.live_go}
          </Button>
        )}
      </EmptyState>
    </>
  );
}
