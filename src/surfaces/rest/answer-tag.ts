import type { Answer } from '../../platform/call.ts';

/** The ETag. A file names its own; a resource has that of its text. */
export const tagOfAnswer = ({ headers, tag }: Answer): string | undefined => headers.ETag ?? tag;
