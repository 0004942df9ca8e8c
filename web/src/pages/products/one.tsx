import { Alert } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../app/changing.ts';
import { useCommonWords } from '../../app/common-words.ts';
import { useCan } from '../../app/company.ts';
import { useRead } from '../../app/reading.ts';
import { useLanguage, useWords } from '../../app/words.ts';
import { FormFrame, useApiForm } from '../../parts/api-form.tsx';
import { BackLink } from '../../parts/back-link.tsx';
import { changedOnly } from '../../parts/changed-only.ts';
import { CopyValue } from '../../parts/copy.tsx';
import { type Fact, Facts, Section } from '../../parts/facts.tsx';
import { Price } from '../../parts/money-field.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { Ready } from '../../parts/ready.tsx';
import { tell } from '../../parts/tell.ts';
import { getProduct, type Product, updateProduct } from './calls.ts';
import { ProductState } from './list.tsx';
import { productBody, productFaults, ProductFields, productValues } from './product-form.tsx';
import { productWords } from './words.ts';

export default function OneProduct() {
  const { product } = useParams({ strict: false }) as { product: string };
  const read = useRead(getProduct, { params: { product } });
  return (
    <Ready read={read} is_page has_form>
      {({ data }) => <ProductPage key={data.id} of={data} />}
    </Ready>
  );
}

function ProductPage({ of }: { of: Product }) {
  const words = useWords(productWords);
  const can = useCan();
  const is_editable = can('update_product');
  const is_configured = of.has_variants || of.has_presentations || of.has_options || of.is_pack;
  return (
    <>
      <PageTitle above={<BackLink to="/products">{words.title}</BackLink>}>{of.name}</PageTitle>
      {is_configured && <Alert mb="lg">{words.configured}</Alert>}
      <Section title={words.details}>
        <Facts facts={useProductFacts(of, is_editable)} />
      </Section>
      {is_editable && <ProductForm of={of} />}
    </>
  );
}

/** What the form has is not told twice. */
function useProductFacts(of: Product, is_editable: boolean): Fact[] {
  const words = useWords(productWords);
  const { none } = useCommonWords();
  const known: Fact[] = [
    { name: words.state, value: <ProductState is_active={of.is_active} /> },
    { name: 'Id', value: <CopyValue value={of.id} name="id" /> },
  ];
  if (is_editable) return known;
  return [
    ...known,
    { name: words.price, value: <Price price={of.unit_price} /> },
    { name: words.tax, value: of.taxes?.name ?? words.tax_none },
    { name: words.code, value: of.code ?? none },
    { name: words.kind, value: words.kinds[of.kind] },
  ];
}

function ProductForm({ of }: { of: Product }) {
  const words = useWords(productWords);
  const language = useLanguage();
  const [before, setBefore] = useState(() => productValues(of, language));
  const form = useApiForm({
    values: before,
    change: useChange(updateProduct),
    input: (values) => ({
      params: { product: of.id },
      body: changedOnly(productBody(values, language), productBody(before, language)),
    }),
    faults: (values) => productFaults(values, words.price_missing),
    stays: true,
    done: ({ data }) => {
      const saved = productValues(data, language);
      setBefore(saved);
      form.keep(saved);
      tell(words.saved);
    },
  });
  return (
    <FormFrame of={form} action={words.save}>
      <ProductFields of={form} tax={of.taxes} />
    </FormFrame>
  );
}
