import { Box, Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useCan } from '../../app/company.ts';
import { useChange } from '../../app/changing.ts';
import { useRead } from '../../app/reading.ts';
import { useWords } from '../../app/words.ts';
import { FormFrame, useApiForm } from '../../parts/api-form.tsx';
import { BackLink } from '../../parts/back-link.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { changedOnly } from '../../parts/changed-only.ts';
import { CopyValue } from '../../parts/copy.tsx';
import { Facts, Section } from '../../parts/facts.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { Ready } from '../../parts/ready.tsx';
import { Failure } from '../../parts/states.tsx';
import { tell } from '../../parts/tell.ts';
import {
  archiveSeries,
  getSeries,
  type Series,
  setDefaultSeries,
  unarchiveSeries,
  updateSeries,
} from './calls.ts';
import { seriesBody, SeriesFields, type SeriesValues } from './series-fields.tsx';
import { SeriesState } from './series-list.tsx';
import { companyWords } from './words.ts';

export default function OneSeries() {
  const { series } = useParams({ strict: false }) as { series: string };
  const read = useRead(getSeries, { params: { series } });
  return (
    <Ready read={read} is_page has_form>
      {({ data }) => <SeriesPage key={data.id} of={data} />}
    </Ready>
  );
}

function SeriesPage({ of }: { of: Series }) {
  const words = useWords(companyWords);
  const can = useCan();
  const is_editable = can('update_series') && !of.is_archived;
  return (
    <>
      <PageTitle
        above={<BackLink to="/company/series">{words.series}</BackLink>}
        actions={can('update_series') && <SeriesActions of={of} />}
      >
        {words.series_one(of.code)}
      </PageTitle>
      <Section title={words.details}>
        <Facts
          facts={[
            { name: words.state, value: <SeriesState of={of} /> },
            { name: words.numbers, value: words.kinds[of.document_type] },
            { name: 'Id', value: <CopyValue value={of.id} name="id" /> },
            ...(is_editable
              ? []
              : [
                  { name: words.next_number, value: of.next_number },
                  { name: words.format, value: of.format },
                  { name: words.reset, value: words.resets[of.reset] },
                ]),
          ]}
        />
      </Section>
      {is_editable && <SeriesForm of={of} />}
    </>
  );
}

function valuesOf({ code, name, document_type, format, reset, next_number }: Series): SeriesValues {
  return { code, name: name ?? '', document_type, format, reset, next_number: String(next_number) };
}

function SeriesForm({ of }: { of: Series }) {
  const words = useWords(companyWords);
  const [before, setBefore] = useState(() => valuesOf(of));
  const form = useApiForm({
    values: before,
    change: useChange(updateSeries),
    // A number that was given meanwhile is not taken back by a change of the name.
    input: (values) => ({
      params: { series: of.id },
      body: changedOnly(seriesBody(values), seriesBody(before)),
    }),
    stays: true,
    done: ({ data }) => {
      const saved = valuesOf(data);
      setBefore(saved);
      form.keep(saved);
      tell(words.series_saved);
    },
  });
  return (
    <Box maw="44rem">
      <FormFrame of={form} action={words.save}>
        <SeriesFields of={form} />
      </FormFrame>
    </Box>
  );
}

function SeriesActions({ of }: { of: Series }) {
  const words = useWords(companyWords);
  const [is_open, question] = useDisclosure(false);
  const standing = useChange(setDefaultSeries);
  const archive = useChange(archiveSeries);
  const back = useChange(unarchiveSeries);
  const params = { series: of.id };
  const act = async (change: typeof standing, told: string) => {
    if ((await change.run({ params })) === null) return;
    question.close();
    tell(told);
  };
  const error = standing.error ?? back.error;
  return (
    <>
      {!of.is_archived && !of.is_default && (
        <>
          <Button
            variant="default"
            loading={standing.is_running}
            onClick={() => void act(standing, words.default_told(of.code))}
          >
            {words.make_default}
          </Button>
          <Button variant="light" color="red" onClick={question.open}>
            {words.archive}
          </Button>
        </>
      )}
      {of.is_archived && (
        <Button
          variant="default"
          loading={back.is_running}
          onClick={() => void act(back, words.unarchived_told)}
        >
          {words.unarchive}
        </Button>
      )}
      {error && <Failure error={error} />}
      <Confirm
        is_open={is_open}
        close={question.close}
        title={words.archive_title}
        text={words.archive_text}
        facts={[
          { name: words.code, value: of.code },
          { name: words.numbers, value: words.kinds[of.document_type] },
        ]}
        action={words.archive}
        confirm={() => void act(archive, words.archived_told)}
        is_running={archive.is_running}
        error={archive.error}
        begin={archive.clear}
        is_reversible
      />
    </>
  );
}
