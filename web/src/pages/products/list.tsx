import { Button } from '@mantine/core';
import { useCommonWords } from '../../app/common-words.ts';
import { useCan } from '../../app/company.ts';
import { Icon } from '../../app/icons.tsx';
import { PageLink } from '../../app/navigate.tsx';
import { useWords } from '../../app/words.ts';
import { useNameOrder } from '../../parts/list-filters.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import type { Column } from '../../parts/list-table.tsx';
import { Price } from '../../parts/money-field.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { type Listed, listProducts } from './calls.ts';
import { productWords } from './words.ts';
import { State } from '../../parts/state.tsx';

export default function ProductList() {
  const words = useWords(productWords);
  const can = useCan();
  const create = can('create_product') && (
    <Button component={PageLink} to="/products/new" leftSection={<Icon name="plus" size={16} />}>
      {words.create}
    </Button>
  );
  return (
    <>
      <PageTitle text={words.about} actions={create}>
        {words.title}
      </PageTitle>
      <ListPage
        call={listProducts}
        name={words.title}
        filters={[
          { kind: 'search', name: 'q', label: words.search },
          {
            kind: 'choice',
            name: 'is_active',
            label: words.state,
            options: [
              { value: 'true', label: words.active },
              { value: 'false', label: words.archived },
            ],
          },
          useNameOrder(),
        ]}
        columns={useProductColumns()}
        idOf={(product) => product.id}
        open={(product) => `/products/${product.id}`}
        empty={<EmptyState icon="box" title={words.empty_title} text={words.empty_text} />}
      />
    </>
  );
}

export function ProductState({ is_active }: { is_active: boolean }) {
  const words = useWords(productWords);
  return <State color={is_active ? 'green' : 'gray'}>{is_active ? words.active : words.archived}</State>;
}

function useProductColumns(): Column<Listed>[] {
  const words = useWords(productWords);
  const { none } = useCommonWords();
  return [
    { id: 'name', title: words.name, cell: ({ name }) => name },
    { id: 'code', title: words.code, from: 'sm', cell: ({ code }) => code ?? none },
    { id: 'tax', title: words.tax, from: 'md', cell: ({ taxes }) => taxes?.name ?? words.tax_none },
    {
      id: 'price',
      title: words.price,
      is_amount: true,
      cell: ({ unit_price }) => <Price price={unit_price} />,
    },
    {
      id: 'state',
      title: words.state,
      from: 'sm',
      cell: ({ is_active }) => <ProductState is_active={is_active} />,
    },
  ];
}
