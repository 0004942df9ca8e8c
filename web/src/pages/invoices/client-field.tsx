import { Button, Select, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { useCan } from '../../app/company.ts';
import { Icon } from '../../app/icons.tsx';
import { useRead } from '../../app/reading.ts';
import { useWords } from '../../app/words.ts';
import type { Client } from '../../printed/resources.ts';
import { listClients } from './calls.ts';
import { invoiceWords } from './words.ts';

type SelectProps = {
  known_name?: string | undefined;
  value?: string;
  onChange?: (value: string) => void;
  error?: ReactNode;
};

type Props = SelectProps & {
  /** Made on the way: its name is known before the list is read again. */
  made: Client | null;
  /** Opens the form of a new one. */
  create(): void;
};

const typing_ms = 250;

export function ClientField({ made, create, known_name, ...field }: Props) {
  const words = useWords(invoiceWords);
  const can = useCan();
  return (
    <Stack gap="xs" align="stretch">
      <ClientSelect key={made?.id ?? ''} known_name={made?.name ?? known_name} {...field} />
      {can('create_client') && (
        <div>
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<Icon name="plus" size={14} />}
            onClick={create}
          >
            {words.client_new}
          </Button>
        </div>
      )}
    </Stack>
  );
}

/** Clients by name or tax id; the service searches, so there may be many. */
function ClientSelect({ known_name, value = '', onChange, ...field }: SelectProps) {
  const words = useWords(invoiceWords);
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState({ value, label: known_name ?? value });
  const [q] = useDebouncedValue(typed.trim(), typing_ms);
  const query = { is_active: true, limit: 20, ...(q === '' ? {} : { q }) };
  const read = useRead(listClients, { query }, { keeps_last: true });
  const found = (read.data?.data ?? []).map(({ id, name, tax_id }) => ({
    value: id,
    label: tax_id === null ? name : `${name} · ${tax_id}`,
  }));
  const has_chosen = value === '' || found.some((one) => one.value === value);
  const options = has_chosen ? found : [chosen, ...found];
  // The field also tells the name of who was chosen, which nobody searches for.
  const search = (text: string) => setTyped(options.some(({ label }) => label === text) ? '' : text);
  return (
    <Select
      label={words.client}
      description={words.client_hint}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': words.client_clear }}
      data={options}
      filter={({ options: all }) => all}
      value={value === '' ? null : value}
      onSearchChange={search}
      maxLength={100}
      onChange={(next, option) => {
        setChosen({ value: next ?? '', label: option?.label ?? '' });
        onChange?.(next ?? '');
      }}
      nothingFoundMessage={words.client_none}
      {...field}
    />
  );
}
