import { useChange } from '../../app/changing.ts';
import { useGo } from '../../app/navigate.tsx';
import { useLanguage, useWords } from '../../app/words.ts';
import { FormFrame, useApiForm } from '../../parts/api-form.tsx';
import { BackLink } from '../../parts/back-link.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { tell } from '../../parts/tell.ts';
import { createProduct } from './calls.ts';
import { productBody, productFaults, ProductFields, productValues } from './product-form.tsx';
import { productWords } from './words.ts';

export default function CreateProduct() {
  const words = useWords(productWords);
  const language = useLanguage();
  const go = useGo();
  const of = useApiForm({
    values: productValues(null, language),
    change: useChange(createProduct),
    input: (values) => ({ body: productBody(values, language) }),
    faults: (values) => productFaults(values, words.price_missing),
    done: ({ data }) => {
      tell(words.created);
      go(`/products/${data.id}`);
    },
  });
  return (
    <>
      <PageTitle above={<BackLink to="/products">{words.title}</BackLink>}>{words.create}</PageTitle>
      <FormFrame of={of} action={words.create_action} cancel={() => go('/products')}>
        <ProductFields of={of} tax={null} />
      </FormFrame>
    </>
  );
}
