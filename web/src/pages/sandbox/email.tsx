/** One message as its receiver would have read it. */
import { Anchor, Code } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useCommonWords } from '../../app/common-words.ts';
import { PageLink } from '../../app/navigate.tsx';
import { useRead } from '../../app/reading.ts';
import { useWords } from '../../app/words.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { type Fact, Facts, Section } from '../../parts/facts.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { Ready } from '../../parts/ready.tsx';
import { Instant } from '../../parts/time.tsx';
import { type Email, getEmail } from './calls.ts';
import { EmailState } from './emails.tsx';
import { sandboxWords } from './words.ts';

export default function OneEmail() {
  const { email } = useParams({ strict: false }) as { email: string };
  const read = useRead(getEmail, { params: { email } });
  return (
    <Ready read={read} is_page>
      {({ data }) => <EmailPage of={data} />}
    </Ready>
  );
}

function EmailPage({ of }: { of: Email }) {
  const words = useWords(sandboxWords);
  return (
    <>
      <PageTitle above={<BackLink to="/sandbox">{words.title}</BackLink>}>{of.subject}</PageTitle>
      <Section title={words.sending}>
        <Facts facts={useEmailFacts(of)} />
      </Section>
      <Section title={words.message}>
        <Code
          block
          tabIndex={0}
          role="region"
          aria-label={words.message}
          style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
        >
          {of.text}
        </Code>
      </Section>
    </>
  );
}

function useEmailFacts(of: Email): Fact[] {
  const words = useWords(sandboxWords);
  const { none } = useCommonWords();
  const { document } = of;
  return [
    { name: words.state, value: <EmailState of={of.status} /> },
    { name: words.reason, value: of.reason === null ? none : words.reasons[of.reason] },
    { name: words.from_name, value: of.from_name },
    { name: words.reply_to, value: of.reply_to ?? none },
    { name: words.recipients, value: of.to.join(', ') || none },
    { name: words.copies, value: of.cc.join(', ') || none },
    { name: words.attachments, value: of.attachments.map(({ filename }) => filename).join(', ') || none },
    { name: words.created, value: <Instant at={of.created_at} /> },
    ...(document?.type === 'invoice'
      ? [
          {
            name: words.document,
            value: (
              <Anchor component={PageLink} to={`/invoices/${document.id}`}>
                {words.document_open}
              </Anchor>
            ),
          },
        ]
      : []),
    ...(of.answer === null ? [] : [{ name: words.answer, value: of.answer }]),
  ];
}
