import { NativeSelect, Stack, TextInput } from '@mantine/core';
import { useWords } from '../../app/words.ts';
import type { ApiForm } from '../../parts/api-form.tsx';
import { textOrNull } from '../../parts/typed.ts';
import type { Series } from './calls.ts';
import { companyWords } from './words.ts';

export type SeriesValues = {
  code: string;
  name: string;
  document_type: Series['document_type'];
  format: string;
  reset: Series['reset'];
  next_number: string;
};

/** What is no number is sent as it was typed, and what was emptied as nothing: the service says so at the field. */
export const seriesBody = ({
  code,
  name,
  format,
  reset,
  next_number,
}: Omit<SeriesValues, 'document_type'>) => ({
  code: code.trim(),
  name: textOrNull(name),
  format: format.trim(),
  reset,
  next_number: numberOf(next_number.trim()),
});

const numberOf = (text: string) =>
  /^\d{1,9}$/.test(text) ? Number(text) : (textOrNull(text) as unknown as number);

export function SeriesFields({ of }: { of: ApiForm<SeriesValues> }) {
  const words = useWords(companyWords);
  const { fields } = of;
  const resets = (['year', 'month', 'never'] as const).map((value) => ({
    value,
    label: words.resets[value],
  }));
  return (
    <Stack>
      <TextInput label={words.code} description={words.code_hint} required {...fields('code')} />
      <TextInput
        label={words.series_name}
        description={words.series_name_hint}
        maxLength={120}
        {...fields('name')}
      />
      <TextInput label={words.format} description={words.format_hint} required {...fields('format')} />
      <NativeSelect label={words.reset} data={resets} {...fields('reset')} />
      <TextInput
        label={words.next_number}
        description={words.next_number_hint}
        inputMode="numeric"
        autoComplete="off"
        {...fields('next_number')}
      />
    </Stack>
  );
}
