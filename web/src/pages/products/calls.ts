import type {
  ListedProduct,
  Product as ProductSchema,
} from '../../../../src/modules/products/products.schema.ts';
import type { Tax } from '../../../../src/modules/taxes/taxes.schema.ts';
import { call, type ListQuery, type One, type Page, type Wire } from '../../app/operation.ts';

export type Product = Wire<typeof ProductSchema>;
export type Listed = Wire<typeof ListedProduct>;
/** What the form changes: variants and the rest of what a product can have are left as they are. */
export type ProductBody = {
  name: string;
  code: string | null;
  kind: Product['kind'];
  unit: string | null;
  unit_price: number | null;
  taxes_id: string | null;
  description: string | null;
  is_active: boolean;
};
type OfProduct = { product: string };

export const listProducts = call<{
  query: ListQuery & { q?: string; is_active?: boolean };
  answer: Page<Listed>;
}>('list_products');
export const getProduct = call<{ params: OfProduct; answer: One<Product> }>('get_product');
export const createProduct = call<{ body: ProductBody; answer: One<Product> }>('create_product');
export const updateProduct = call<{
  params: OfProduct;
  body: Partial<ProductBody>;
  answer: One<Product>;
}>('update_product');
export const listTaxes = call<{
  query: ListQuery & { is_active?: boolean };
  answer: Page<Wire<typeof Tax>>;
}>('list_taxes');
