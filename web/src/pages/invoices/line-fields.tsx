import { ActionIcon, Box, Group, NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { Icon } from '../../app/icons.tsx';
import { useWords } from '../../app/words.ts';
import type { ApiForm } from '../../parts/api-form.tsx';
import type { Choice } from '../../parts/list-filters.tsx';
import { MoneyField } from '../../parts/money-field.tsx';
import type { DraftValues } from './draft-values.ts';
import { invoiceWords } from './words.ts';

type Props = {
  of: ApiForm<DraftValues>;
  index: number;
  taxes: readonly Choice[];
  remove: (() => void) | undefined;
};

export function LineFields({ of, index, taxes, remove }: Props) {
  const words = useWords(invoiceWords);
  const path = `lines.${index}`;
  return (
    <Box role="group" aria-label={words.line(index + 1)}>
      <Group align="flex-end" wrap="nowrap" gap="xs" mb="xs">
        <TextInput
          label={words.line_description}
          flex={1}
          required
          maxLength={1000}
          {...of.fields(`${path}.description`)}
        />
        {remove && (
          <ActionIcon
            variant="default"
            size={36}
            color="red"
            onClick={remove}
            aria-label={words.remove_line(index + 1)}
          >
            <Icon name="trash" />
          </ActionIcon>
        )}
      </Group>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="xs">
        <TextInput
          label={words.quantity}
          inputMode="decimal"
          autoComplete="off"
          {...of.fields(`${path}.quantity`)}
        />
        <MoneyField label={words.unit_price} {...(of.fields(`${path}.unit_price`) as { value: string })} />
        <TextInput
          label={words.discount}
          inputMode="decimal"
          autoComplete="off"
          rightSection="%"
          {...of.fields(`${path}.discount_percent`)}
        />
        <NativeSelect
          label={words.tax}
          data={[{ value: '', label: words.tax_default }, ...taxes]}
          {...of.fields(`${path}.taxes_id`)}
        />
      </SimpleGrid>
    </Box>
  );
}
