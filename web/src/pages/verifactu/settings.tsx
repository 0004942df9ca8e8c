/** Mode, certificate, representation, declaration and integrity. */
import { Alert, Code, Text } from '@mantine/core';
import { useCan } from '../../app/company.ts';
import { useRead } from '../../app/reading.ts';
import { useWords } from '../../app/words.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { Facts, Section } from '../../parts/facts.tsx';
import { JsonView } from '../../parts/json-view.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { Ready } from '../../parts/ready.tsx';
import { Day } from '../../parts/time.tsx';
import { type Config, getConfig, getDeclaration } from './calls.ts';
import { CertificateSection } from './certificate.tsx';
import { Integrity } from './integrity.tsx';
import { ChangeMode } from './mode.tsx';
import { RepresentationSection } from './representation.tsx';
import { verifactuWords } from './words.ts';

export default function VerifactuSettings() {
  const words = useWords(verifactuWords);
  const read = useRead(getConfig, {});
  return (
    <>
      <PageTitle above={<BackLink to="/verifactu">{words.title}</BackLink>}>{words.settings}</PageTitle>
      <Ready read={read}>{({ data }) => <Settings of={data} />}</Ready>
    </>
  );
}

function Settings({ of }: { of: Config }) {
  const words = useWords(verifactuWords);
  const can = useCan();
  return (
    <>
      {of.alarm !== null && (
        <Alert color="red" title={words.alarm} mb="lg">
          <span lang="es">{of.alarm}</span>
        </Alert>
      )}
      <Section title={words.mode} actions={can('update_verifactu_settings') && <ChangeMode of={of} />}>
        <Facts
          facts={[
            { name: words.mode, value: words.modes[of.remission_mode ?? 'off'] },
            {
              name: words.mode_next,
              value:
                of.next_remission_mode === null ? (
                  '—'
                ) : (
                  <>
                    {words.modes[of.next_remission_mode]} (<Day on={of.next_remission_mode_on} />)
                  </>
                ),
            },
            { name: words.presenter, value: of.presenter === null ? '—' : words.presenters[of.presenter] },
            { name: words.installation, value: <Code>{of.installation_number ?? '—'}</Code> },
          ]}
        />
      </Section>
      <CertificateSection of={of} />
      <RepresentationSection of={of} />
      {can('check_verifactu_integrity') && <Integrity />}
      {can('get_declaracion_responsable') && <DeclarationSection />}
    </>
  );
}

function DeclarationSection() {
  const words = useWords(verifactuWords);
  const read = useRead(getDeclaration, {});
  return (
    <Section title={words.declaration}>
      <Ready read={read} rows={2}>
        {({ data }) => (
          <>
            {data.notice !== null && (
              <Text lang="es" mb="md">
                {data.notice}
              </Text>
            )}
            <Facts
              facts={[
                { name: words.version, value: `${data.system_name} ${data.version}` },
                { name: words.producer, value: data.producer_name ?? '—' },
              ]}
            />
            {data.text !== null && <JsonView value={data.text} name={words.declaration_open} />}
          </>
        )}
      </Ready>
    </Section>
  );
}
