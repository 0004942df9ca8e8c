/** A text in both languages of the documents: whoever declares one writes both, or it does not compile. */
export type Words = { readonly es: string; readonly en: string };
