import { ActionIcon, Box, Group, NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { memo } from 'react';
import { Icon } from '../../app/icons.tsx';
import { useWords } from '../../app/words.ts';
import type { ApiForm } from '../../parts/api-form.tsx';
import type { Choice } from '../../parts/list-filters.tsx';
import { MoneyField } from '../../parts/money-field.tsx';
import { type DraftValues, staysItself, taxChoices } from './draft-values.ts';
import { ProductField } from './product-field.tsx';
import { unchosen } from './usual-tax.ts';
import { invoiceWords } from './words.ts';

type Props = {
  of: ApiForm<DraftValues>;
  index: number;
  taxes: readonly Choice[];
  currency: string;
  /** Where none is chosen. */
  usual_tax: string;
  has_products: boolean;
  remove: (() => void) | undefined;
};

function Fields({ of, index, taxes, currency, usual_tax, has_products, remove }: Props) {
  const words = useWords(invoiceWords);
  const path = `lines.${index}`;
  const line = of.form.values.lines[index];
  const is_filled = line !== undefined && line.product_id !== '';
  const stored = of.form.getInitialValues().lines.find(({ id }) => id !== '' && id === line?.id);
  const is_stored = stored && line && staysItself(line, stored.product_id);
  const usual = { value: '', label: is_filled ? words.tax_of_product : words.tax_default };
  const filled = is_filled ? line.product_name : undefined;
  return (
    <Box role="group" aria-label={words.line(index + 1)}>
      <Group align="flex-end" wrap="nowrap" gap="xs" mb="xs">
        <TextInput
          label={words.line_description}
          flex={1}
          required={!is_filled}
          placeholder={filled}
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
      {(has_products || is_filled) && (
        <Box mb="xs">
          <ProductField of={of} index={index} />
        </Box>
      )}
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="xs">
        <TextInput
          label={words.quantity}
          inputMode="decimal"
          autoComplete="off"
          {...of.fields(`${path}.quantity`)}
        />
        <MoneyField
          label={words.unit_price}
          currency={currency}
          placeholder={is_filled ? words.price_of_product : undefined}
          {...(of.fields(`${path}.unit_price`) as { value: string })}
        />
        <TextInput
          label={words.discount}
          inputMode="decimal"
          autoComplete="off"
          rightSection="%"
          {...of.fields(`${path}.discount_percent`)}
        />
        <NativeSelect
          label={words.tax}
          data={taxChoices(taxes, usual, is_stored ? stored : undefined)}
          {...of.fields(`${path}.taxes_id`)}
          value={line?.taxes_id === unchosen ? usual_tax : line?.taxes_id}
        />
      </SimpleGrid>
    </Box>
  );
}

type Named = Readonly<Record<string, unknown>>;

/** All of a line is text. */
const isAlike = (a: object = {}, b: object = {}): boolean =>
  Object.keys({ ...a, ...b }).every((name) => (a as Named)[name] === (b as Named)[name]);

const errorsOf = ({ of, index }: Props) =>
  Object.fromEntries(Object.entries(of.form.errors).filter(([path]) => path.startsWith(`lines.${index}.`)));

/** What is written in other lines changes nothing here: an invoice has dozens, and each letter draws the form anew. */
function isSame(a: Props, b: Props): boolean {
  return (
    a.index === b.index &&
    a.currency === b.currency &&
    a.usual_tax === b.usual_tax &&
    a.has_products === b.has_products &&
    (a.remove === undefined) === (b.remove === undefined) &&
    isAlike(a.of.form.values.lines[a.index], b.of.form.values.lines[b.index]) &&
    isAlike(errorsOf(a), errorsOf(b)) &&
    a.taxes.length === b.taxes.length &&
    a.taxes.every((tax, at) => isAlike(tax, b.taxes[at]))
  );
}

export const LineFields = memo(Fields, isSame);
