import { createContext } from 'react';

/** Of the page around this, in the language of the person. */
export const PageNameContext = createContext('');
