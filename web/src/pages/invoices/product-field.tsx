import { useWords } from '../../app/words.ts';
import type { ApiForm } from '../../parts/api-form.tsx';
import { SearchSelect } from '../../parts/search-select.tsx';
import { type ListedProduct, listProducts } from './calls.ts';
import { type DraftValues, newLine } from './draft-values.ts';
import { invoiceWords } from './words.ts';

/** What the line does not say, the service takes from the product; so the fields of another product are emptied. */
export function ProductField({ of, index }: { of: ApiForm<DraftValues>; index: number }) {
  const words = useWords(invoiceWords);
  const path = `lines.${index}`;
  const line = of.form.values.lines[index];
  const change = (product: ListedProduct | null) => {
    of.form.setFieldValue(`${path}.product_name`, product?.name ?? '');
    // One without a tax leaves that of the line. Without any, a stored line keeps its own.
    if (product && product.taxes !== null) of.form.setFieldValue(`${path}.taxes_id`, '');
    else if (line?.taxes_id === '' && (product || line.id === ''))
      of.form.setFieldValue(`${path}.taxes_id`, newLine().taxes_id);
    if (product === null || line?.product_id === '') return;
    of.form.setFieldValue(`${path}.description`, '');
    of.form.setFieldValue(`${path}.unit_price`, '');
  };
  return (
    <SearchSelect
      call={listProducts}
      optionOf={nameOf}
      known_name={line?.product_name}
      chosen={change}
      label={words.product}
      description={words.product_hint}
      clear={words.product_clear}
      none={words.product_none}
      {...(of.fields(`${path}.product_id`) as object)}
    />
  );
}

const nameOf = ({ id, name, code }: ListedProduct) => ({
  value: id,
  label: code === null ? name : `${name} · ${code}`,
});
