/** What a person may be in a company. What each may do is modules/people's. */
export const roles = ['owner', 'developer', 'accountant', 'reader'] as const;

export type Role = (typeof roles)[number];
