/** Calls of programs, counted from the request log: at most a page of it is read for each hour. */
import { Box, Group, Text, VisuallyHidden } from '@mantine/core';
import { useCompanyDetails, useCompanyZone } from '../../app/company-details.ts';
import type { Page } from '../../app/operation.ts';
import { usePlanName } from '../../app/plan-name.ts';
import { useRead } from '../../app/reading.ts';
import { useLanguage, useWords } from '../../app/words.ts';
import { Facts, Section } from '../../parts/facts.tsx';
import { formatHour } from '../../parts/dates.ts';
import { useNow } from '../../parts/now.ts';
import { type RequestLog, listRequestLogs } from './calls.ts';
import classes from './usage.module.css';
import { homeWords } from './words.ts';

const [minute_ms, hour_ms, day_ms] = [60_000, 3_600_000, 86_400_000];
const hours = 6;
const perPage = 100;
const every_ms = 30_000;

export function Usage() {
  const { usage: words } = useWords(homeWords);
  const now = useNow(every_ms);
  const count = useCount();
  const since = (ms: number) => new Date(now - ms).toISOString();
  const minute = useRead(
    listRequestLogs,
    { query: { limit: perPage, 'created[gte]': since(minute_ms) } },
    { keeps_last: true },
  );
  const limited = useRead(
    listRequestLogs,
    { query: { limit: perPage, status: 429, 'created[gte]': since(day_ms) } },
    { keeps_last: true },
  );
  const company = useCompanyDetails();
  const nameOf = usePlanName();
  return (
    <Section title={words.title}>
      <Facts
        facts={[
          { name: words.tier, value: company.data ? nameOf(company.data.data.tier) : '…' },
          { name: words.minute, value: count(minute.data) },
          { name: words.limited, value: count(limited.data) },
        ]}
        columns={3}
      />
      <Text size="sm" c="dimmed" mt="md" id="usage-hours">
        {words.hours}
      </Text>
      <Group component="ol" className={classes.hours} aria-labelledby="usage-hours">
        {Array.from({ length: hours }, (_, at) => {
          const start = Math.floor(now / hour_ms) * hour_ms - (hours - 1 - at) * hour_ms;
          return <Hour key={start} start={start} />;
        })}
      </Group>
    </Section>
  );
}

function Hour({ start }: { start: number }) {
  const language = useLanguage();
  const count = useCount();
  const read = useRead(listRequestLogs, {
    query: {
      limit: perPage,
      'created[gte]': new Date(start).toISOString(),
      'created[lt]': new Date(start + hour_ms).toISOString(),
    },
  });
  const made = read.data?.data.length ?? 0;
  const name = formatHour(start, language, useCompanyZone());
  return (
    <li className={classes.hour}>
      <VisuallyHidden>{`${name}: ${count(read.data)}`}</VisuallyHidden>
      <Box aria-hidden="true" className={classes.column}>
        <Text size="xs">{count(read.data)}</Text>
        <Box className={classes.bar} style={{ height: `${(made / perPage) * 100}%` }} />
      </Box>
      <Text size="xs" c="dimmed" aria-hidden="true">
        {name}
      </Text>
    </li>
  );
}

function useCount(): (page: Page<RequestLog> | undefined) => string {
  const { usage: words } = useWords(homeWords);
  return (page) => {
    if (page === undefined) return '…';
    return page.has_more ? words.or_more(page.data.length) : String(page.data.length);
  };
}
