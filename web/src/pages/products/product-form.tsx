import { NativeSelect, SimpleGrid, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { useCan } from '../../app/company.ts';
import { useRead } from '../../app/reading.ts';
import { type Language, useWords } from '../../app/words.ts';
import type { ApiForm } from '../../parts/api-form.tsx';
import { MoneyField } from '../../parts/money-field.tsx';
import { formatNumber } from '../../parts/money.ts';
import { withOwn } from '../../parts/own-choice.ts';
import { numberOrNull, textOrNull } from '../../parts/typed.ts';
import { listTaxes, type Product, type ProductBody } from './calls.ts';
import { productWords } from './words.ts';

export type ProductValues = {
  name: string;
  code: string;
  kind: Product['kind'];
  unit: string;
  unit_price: string;
  taxes_id: string;
  description: string;
  is_active: boolean;
};

export function productValues(product: Product | null, language: Language): ProductValues {
  return {
    name: product?.name ?? '',
    code: product?.code ?? '',
    kind: product?.kind ?? 'good',
    unit: product?.unit ?? '',
    unit_price: product ? formatNumber(product.unit_price, language) : '',
    taxes_id: product?.taxes_id ?? '',
    description: product?.description ?? '',
    is_active: product?.is_active ?? true,
  };
}

export function productBody(values: ProductValues, language: Language): ProductBody {
  return {
    name: values.name.trim(),
    code: textOrNull(values.code),
    kind: values.kind,
    unit: textOrNull(values.unit),
    unit_price: numberOrNull(values.unit_price, language),
    taxes_id: textOrNull(values.taxes_id),
    description: textOrNull(values.description),
    is_active: values.is_active,
  };
}

/** An empty price would be kept as none. Who gives something away types 0. */
export const productFaults = ({ unit_price }: ProductValues, told: string): Record<string, string> =>
  unit_price.trim() === '' ? { unit_price: told } : {};

type Props = {
  of: ApiForm<ProductValues>;
  /** The tax that it has, which may be out of use by now. */
  tax: Product['taxes'];
};

export function ProductFields({ of, tax }: Props) {
  const words = useWords(productWords);
  const { fields } = of;
  const kinds = (['good', 'service'] as const).map((value) => ({ value, label: words.kinds[value] }));
  return (
    <Stack maw="44rem">
      <TextInput
        label={words.name}
        description={words.name_hint}
        required
        maxLength={250}
        {...fields('name')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <MoneyField label={words.price} required {...(fields('unit_price') as { value: string })} />
        <TaxField own={tax} {...fields('taxes_id')} />
        <TextInput label={words.code} maxLength={60} {...fields('code')} />
        <NativeSelect label={words.kind} data={kinds} {...fields('kind')} />
      </SimpleGrid>
      <TextInput
        label={words.unit}
        description={words.unit_hint}
        maxLength={40}
        maw="14rem"
        {...fields('unit')}
      />
      <Textarea
        label={words.description}
        description={words.description_hint}
        autosize
        minRows={2}
        maxLength={2000}
        {...fields('description')}
      />
      <Switch label={words.is_active} {...fields('is_active', { type: 'checkbox' })} />
    </Stack>
  );
}

/** A retention is no tax of a line. */
function TaxField({ own, value, ...field }: { own: Product['taxes']; value?: string }) {
  const words = useWords(productWords);
  const can = useCan();
  const query = { is_active: true, limit: 100 };
  const read = useRead(listTaxes, { query }, { is_enabled: can('list_taxes') });
  const taxes = (read.data?.data ?? []).filter(({ kind }) => kind !== 'retention');
  const offered = taxes.map(({ id, name }) => ({ value: id, label: name }));
  const data = own === null ? offered : withOwn(offered, { value: own.id, label: own.name });
  return (
    <NativeSelect
      label={words.tax}
      data={[{ value: '', label: words.tax_none }, ...data]}
      value={value ?? ''}
      {...field}
    />
  );
}
