/** What does not work, and what soon will not. */
import { Anchor, List, Text, ThemeIcon } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from '../../app/icons.tsx';
import { PageLink } from '../../app/navigate.tsx';
import { useRead } from '../../app/reading.ts';
import { useWords } from '../../app/words.ts';
import { Section } from '../../parts/facts.tsx';
import { Failure, Loading } from '../../parts/states.tsx';
import { Instant } from '../../parts/time.tsx';
import { getVerifactuConfig, getVerifactuStats, listApiKeys, listWebhookEndpoints } from './calls.ts';
import { homeWords } from './words.ts';

type Item = {
  id: string;
  is_broken: boolean;
  text: string;
  to: string;
  search?: Record<string, string>;
  at?: string | null;
};

const soon_ms = 30 * 86_400_000;
const isSoon = (at: string | null) => at !== null && Date.parse(at) - Date.now() < soon_ms;

export function Attention() {
  const { attention: words } = useWords(homeWords);
  const { items, error, is_loading, has_more } = useItems();
  return (
    <Section title={words.title}>
      {error && <Failure error={error} />}
      {is_loading && <Loading rows={2} height={24} />}
      {!is_loading && !error && items.length === 0 && (
        <Text c="dimmed">{has_more ? words.nothing_of_last : words.nothing}</Text>
      )}
      <List listStyleType="none" spacing="sm">
        {items.map((item) => (
          <List.Item key={item.id} icon={<Mark is_broken={item.is_broken} />}>
            <Anchor component={PageLink} to={item.to} search={item.search ?? {}}>
              {item.text}
            </Anchor>
            {item.at && (
              <Text size="sm" c="dimmed">
                <Instant at={item.at} is_distance />
              </Text>
            )}
          </List.Item>
        ))}
      </List>
    </Section>
  );
}

function Mark({ is_broken }: { is_broken: boolean }): ReactNode {
  return (
    <ThemeIcon radius="xl" size={24} color={is_broken ? 'red' : 'orange'} variant="light">
      <Icon name={is_broken ? 'warning' : 'clock'} size={14} />
    </ThemeIcon>
  );
}

type Found = { items: Item[]; error: Error | null; is_loading: boolean; has_more: boolean };

function useItems(): Found {
  const { attention: words } = useWords(homeWords);
  const hooks = useRead(listWebhookEndpoints, { query: { limit: 100 } });
  const stats = useRead(getVerifactuStats, {});
  const keys = useRead(listApiKeys, { query: { limit: 100 } });
  const certificate = useCertificateItem();
  const endpoints = hooks.data?.data ?? [];
  const failing = endpoints.filter(
    ({ failing_since, status }) => failing_since !== null && status === 'enabled',
  );
  const blocked = stats.data?.data.blocked_incident_count ?? 0;
  const rejected = stats.data?.data.rejected_open_count ?? 0;
  const expiring = (keys.data?.data ?? []).filter(({ active, expires_at }) => active && isSoon(expires_at));
  const signing = endpoints.filter((one) => one.previous_secret_valid_until !== null);
  const items: Item[] = [
    ...(failing.length === 0
      ? []
      : [{ id: 'hooks', is_broken: true, text: words.hooks(failing.length), to: '/webhooks' }]),
    ...(blocked === 0
      ? []
      : [
          {
            id: 'blocked',
            is_broken: true,
            text: words.blocked(blocked),
            to: '/verifactu',
            search: { is_blocked: 'true' },
          },
        ]),
    ...(rejected === 0
      ? []
      : [
          {
            id: 'rejected',
            is_broken: true,
            text: words.rejected(rejected),
            to: '/verifactu',
            search: { status: 'rejected' },
          },
        ]),
    ...certificate,
    ...expiring.map(({ id, name, expires_at }) => ({
      id,
      is_broken: false,
      text: words.key(name),
      to: `/keys/${id}`,
      at: expires_at,
    })),
    ...signing.map(({ id, url, previous_secret_valid_until }) => ({
      id,
      is_broken: false,
      text: words.secret(hostOf(url)),
      to: `/webhooks/${id}`,
      at: previous_secret_valid_until,
    })),
  ];
  const reads = [hooks, stats, keys];
  const error = reads.find((read) => read.error !== null)?.error ?? null;
  const is_loading = reads.some((read) => read.isPending && read.error === null);
  const has_more = hooks.data?.has_more === true || keys.data?.has_more === true;
  return { items, error, is_loading, has_more };
}

/** A company without a certificate is no fault: the service may send for it. */
function useCertificateItem(): Item[] {
  const { attention: words } = useWords(homeWords);
  const found = useRead(getVerifactuConfig, {}).data?.data.certificate;
  if (!found || found.status === 'valid') return [];
  const is_broken = found.status !== 'expiring';
  const text = is_broken ? words.certificate_bad : words.certificate;
  return [{ id: 'certificate', is_broken, text, to: '/verifactu', at: found.valid_until }];
}

function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
}
