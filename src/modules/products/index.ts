/** Products and services. Lines of documents copy their texts, prices and taxes. */
import type { Operation } from '../../kernel/operation.ts';
import { createProduct } from './operations/create-product.ts';
import { deleteProduct } from './operations/delete-product.ts';
import { getProduct } from './operations/get-product.ts';
import { listProducts } from './operations/list-products.ts';
import { resolveProductSelection } from './operations/resolve-product-selection.ts';
import { updateProduct } from './operations/update-product.ts';

export type * from './ports.ts';
export { type FoundChoice, findChoices } from './choices.store.ts';
export { ChosenOptions, chosenOptionIds } from './configuration.schema.ts';
export { findOwnersOfParts } from './configuration.store.ts';
export { findLineProducts, findProductsToReferTo, taxIdsOf } from './products.store.ts';

export const productsOperations: readonly Operation[] = [
  listProducts,
  createProduct,
  getProduct,
  updateProduct,
  deleteProduct,
  resolveProductSelection,
];

/** What emptying a sandbox deletes here: rows that refer to others go first. */
export const sandboxTables = [
  'product_pack_components',
  'product_option_values',
  'product_option_groups',
  'product_presentations',
  'product_variants',
  'product_attributes',
  'products',
];
