import { NativeSelect, Stack } from '@mantine/core';
import { useChange } from '../../app/changing.ts';
import { useGo } from '../../app/navigate.tsx';
import { useWords } from '../../app/words.ts';
import { FormFrame, useApiForm } from '../../parts/api-form.tsx';
import { BackLink } from '../../parts/back-link.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { tell } from '../../parts/tell.ts';
import { createSeries } from './calls.ts';
import { seriesBody, SeriesFields, type SeriesValues } from './series-fields.tsx';
import { useKindChoices } from './series-list.tsx';
import { companyWords } from './words.ts';

const empty: SeriesValues = {
  code: '',
  name: '',
  document_type: 'invoice',
  format: '{code}{year}-{number:6}',
  reset: 'year',
  next_number: '1',
};

export default function CreateSeries() {
  const words = useWords(companyWords);
  const go = useGo();
  const of = useApiForm({
    values: empty,
    change: useChange(createSeries),
    input: ({ document_type, ...rest }) => ({ body: { ...seriesBody(rest), document_type } }),
    done: ({ data }) => {
      tell(words.series_created);
      go(`/company/series/${data.id}`);
    },
  });
  return (
    <>
      <PageTitle above={<BackLink to="/company/series">{words.series}</BackLink>}>
        {words.series_create}
      </PageTitle>
      <FormFrame of={of} action={words.series_create} cancel={() => go('/company/series')}>
        <Stack maw="44rem">
          <NativeSelect
            label={words.numbers}
            description={words.numbers_hint}
            data={useKindChoices()}
            {...of.fields('document_type')}
          />
          <SeriesFields of={of} />
        </Stack>
      </FormFrame>
    </>
  );
}
