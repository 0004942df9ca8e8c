import { Button, Stack } from '@mantine/core';
import { useCan } from '../../app/company.ts';
import { Icon } from '../../app/icons.tsx';
import { useWords } from '../../app/words.ts';
import { identityOf } from '../../parts/contact/identity.ts';
import { type SearchField, SearchSelect } from '../../parts/search-select.tsx';
import type { Client } from '../../printed/resources.ts';
import { listClients } from './calls.ts';
import { invoiceWords } from './words.ts';

type Props = SearchField & {
  known_name?: string | undefined;
  /** Made on the way: its name is known before the list is read again. */
  made: Client | null;
  /** Opens the form of a new one. */
  create(): void;
  chosen(client: Client | null): void;
};

/** Clients by name or tax id. */
export function ClientField({ made, create, chosen, known_name, ...field }: Props) {
  const words = useWords(invoiceWords);
  const can = useCan();
  return (
    <Stack gap="xs" align="stretch">
      <SearchSelect
        key={made?.id ?? ''}
        call={listClients}
        optionOf={nameOf}
        chosen={chosen}
        known_name={made?.name ?? known_name}
        label={words.client}
        description={words.client_hint}
        clear={words.client_clear}
        none={words.client_none}
        {...field}
      />
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

function nameOf(client: Client) {
  const { id, name } = client;
  const identity = identityOf(client);
  return { value: id, label: identity === null ? name : `${name} · ${identity}` };
}
