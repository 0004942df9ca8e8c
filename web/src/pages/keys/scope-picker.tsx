/** Permissions by group. What plan, sandbox or role refuse is disabled, with the reason. */
import { Badge, Button, Checkbox, Fieldset, Group, Input, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Asking, type Refusal, scopeLimitRefusal, useCurrentCompany } from '../../app/company.ts';
import { useCompanyDetails } from '../../app/company-details.ts';
import { useLanguage, useWords } from '../../app/words.ts';
import { useRefusalText } from '../../parts/refused.tsx';
import { scopeGroups } from '../../printed/scopes.ts';
import { keyWords } from './words.ts';

type Props = {
  environment: 'live' | 'test';
  value?: string[];
  error?: ReactNode;
  onChange?(scopes: string[]): void;
};

type Refuse = (scope: string) => Refusal | null;

export function ScopePicker({ environment, value = [], error, onChange = () => undefined }: Props) {
  const words = useWords(keyWords);
  const refuse = useRefuse()(environment);
  const is_all = value.includes('*');
  const offered = scopeGroups.flatMap(({ scopes }) => scopes).filter(({ scope }) => refuse(scope) === null);
  const reads = offered.map(({ scope }) => scope).filter((scope) => scope.endsWith(':read'));
  const chosen = givable(value, refuse);
  return (
    <Fieldset legend={words.pick} data-path="scopes">
      <Stack>
        <Text size="sm" c="dimmed">
          {words.pick_hint}
        </Text>
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => onChange(reads)}>
            {words.pick_reads}
          </Button>
          <Button size="xs" variant="default" onClick={() => onChange([])}>
            {words.pick_none}
          </Button>
          <Text size="sm" role="status">
            {is_all ? words.all_scopes : words.picked(chosen.length)}
          </Text>
        </Group>
        <AllOfThem is_all={is_all} onChange={onChange} />
        {!is_all &&
          scopeGroups.map((group) => (
            <ScopeGroup key={group.group} group={group} chosen={chosen} refuse={refuse} onChange={onChange} />
          ))}
        {error && <Input.Error role="alert">{error}</Input.Error>}
      </Stack>
    </Fieldset>
  );
}

/** A key may hold more than its maker's role, but not `*`. */
export function useRefuse(): (environment: 'live' | 'test') => Refuse {
  const { role } = useCurrentCompany();
  const plan = useCompanyDetails().data?.data.plan;
  return (environment) => {
    const asking: Asking = { role, environment, ...(plan === undefined ? {} : { plan }) };
    return (scope) => scopeLimitRefusal(scope, asking);
  };
}

/** What was chosen for another environment may not be given in this one. */
export const givable = (scopes: string[], refuse: Refuse): string[] =>
  scopes.includes('*') ? scopes : scopes.filter((scope) => refuse(scope) === null);

function AllOfThem({ is_all, onChange }: { is_all: boolean; onChange(scopes: string[]): void }) {
  const words = useWords(keyWords);
  const texts = useRefusalText();
  const { role } = useCurrentCompany();
  const is_owner = role === 'owner';
  return (
    <Checkbox
      label={words.pick_all}
      description={is_owner ? words.pick_all_hint : texts('role')}
      disabled={!is_owner}
      checked={is_all}
      onChange={(event) => onChange(event.currentTarget.checked ? ['*'] : [])}
    />
  );
}

type GroupProps = {
  group: (typeof scopeGroups)[number];
  chosen: readonly string[];
  refuse: Refuse;
  onChange(scopes: string[]): void;
};

function ScopeGroup({ group, chosen, refuse, onChange }: GroupProps) {
  const language = useLanguage();
  const words = useWords(keyWords);
  const texts = useRefusalText();
  const set = (scope: string, is_on: boolean) =>
    onChange(is_on ? [...chosen, scope] : chosen.filter((one) => one !== scope));
  return (
    <Fieldset legend={group.title[language]} variant="unstyled">
      <Stack gap="xs" pl={4}>
        {group.scopes.map(({ scope, description, is_sensitive }) => {
          const refused = refuse(scope);
          return (
            <Checkbox
              key={scope}
              label={
                <>
                  {description[language]}{' '}
                  {is_sensitive && (
                    <Badge component="span" size="xs" color="orange" variant="light">
                      {words.sensitive}
                    </Badge>
                  )}
                </>
              }
              description={refused === null ? scope : `${scope} · ${texts(refused)}`}
              disabled={refused !== null}
              checked={chosen.includes(scope)}
              onChange={(event) => set(scope, event.currentTarget.checked)}
            />
          );
        })}
      </Stack>
    </Fieldset>
  );
}
