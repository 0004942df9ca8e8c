/** The file is read here and sent once; neither it nor its password is kept in the page. */
import { Button, FileInput, PasswordInput, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useCan } from '../../app/company.ts';
import { useChange } from '../../app/changing.ts';
import { useWords } from '../../app/words.ts';
import { useApiForm } from '../../parts/api-form.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Facts, Section } from '../../parts/facts.tsx';
import { HeldFields } from '../../parts/held-fields.tsx';
import { Failure } from '../../parts/states.tsx';
import { tell } from '../../parts/tell.ts';
import { Instant } from '../../parts/time.tsx';
import { type Config, deleteCertificate, putCertificate } from './calls.ts';
import { verifactuWords } from './words.ts';
import { State } from '../../parts/state.tsx';

const bytesMax = 100_000;

export function CertificateSection({ of: { certificate } }: { of: Config }) {
  const words = useWords(verifactuWords);
  const can = useCan();
  return (
    <Section
      title={words.certificate}
      actions={certificate !== null && can('delete_verifactu_certificate') && <Remove of={certificate} />}
    >
      {certificate === null ? (
        <Text c="dimmed">{words.certificate_none}</Text>
      ) : (
        <CertificateFacts of={certificate} />
      )}
      {can('put_verifactu_certificate') && <Upload />}
    </Section>
  );
}

function CertificateFacts({ of }: { of: NonNullable<Config['certificate']> }) {
  const words = useWords(verifactuWords);
  const is_good = of.status === 'valid' || of.status === 'expiring';
  const facts = [
    { name: words.holder, value: of.holder_name },
    { name: words.tax_id, value: of.tax_id },
    { name: words.until, value: <Instant at={of.valid_until} /> },
    {
      name: words.status,
      value: (
        <State color={of.status === 'valid' ? 'green' : is_good ? 'orange' : 'red'}>
          {of.status === 'valid' || of.status === 'expiring'
            ? words.certificate_states[of.status]
            : words.certificate_bad}
        </State>
      ),
    },
  ];
  return <Facts facts={facts} />;
}

type Chosen = { file: File | null; password: string };

/** The file is read when it is sent. */
function useUpload() {
  const { run, ...change } = useChange(putCertificate);
  const send = async ({ file, password }: Chosen) => {
    if (file === null) return null;
    const pkcs12_base64 = toBase64(new Uint8Array(await file.arrayBuffer()));
    return run({ body: { pkcs12_base64, password } });
  };
  return { ...change, run: send };
}

function Upload() {
  const words = useWords(verifactuWords);
  const { form, fields, submit, is_running, is_held, error, empty } = useApiForm({
    values: { file: null, password: '' } as Chosen,
    change: useUpload(),
    input: (chosen) => chosen,
    done: () => {
      empty();
      tell(words.uploaded);
    },
    paths: { pkcs12_base64: 'file' },
  });
  const { file } = form.values;
  const is_large = file !== null && file.size > bytesMax;
  return (
    <form onSubmit={submit} noValidate>
      <Stack mt="md" maw="26rem">
        <HeldFields is_held={is_held}>
          <FileInput
            label={words.file}
            placeholder={words.file_choose}
            accept=".p12,.pfx"
            {...fields('file')}
            {...(is_large ? { error: words.file_large } : {})}
          />
          <PasswordInput
            label={words.password}
            autoComplete="off"
            // The part says it to the eye alone.
            aria-invalid={form.errors.password !== undefined}
            {...fields('password')}
          />
        </HeldFields>
        {error && <Failure error={error} issues={[]} />}
        <div>
          <Button type="submit" loading={is_running} disabled={file === null || is_large}>
            {words.upload}
          </Button>
        </div>
      </Stack>
    </form>
  );
}

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

function Remove({ of }: { of: NonNullable<Config['certificate']> }) {
  const words = useWords(verifactuWords);
  const [is_open, question] = useDisclosure(false);
  const { run, is_running, error, clear } = useChange(deleteCertificate);
  const act = async () => {
    if ((await run({})) === null) return;
    question.close();
    tell(words.removed);
  };
  return (
    <>
      <Button variant="light" color="red" size="compact-sm" onClick={question.open}>
        {words.remove}
      </Button>
      <Confirm
        is_open={is_open}
        close={question.close}
        title={words.remove_title}
        text={words.remove_text}
        facts={[
          { name: words.holder, value: of.holder_name },
          { name: words.tax_id, value: of.tax_id },
        ]}
        action={words.remove}
        confirm={() => void act()}
        is_running={is_running}
        error={error}
        begin={clear}
      />
    </>
  );
}
