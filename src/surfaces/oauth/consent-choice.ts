/**
 * What a person chose on the page of consent: company, environment, boxes. The address of the request keeps it while they prove who they are.
 */
import { isSensitive } from '../../domain/oauth/scopes.ts';
import type { Memberships } from './consent-page.ts';
import type { Parameters } from './parameters.ts';
import type { SealedRequest } from './sealed-request.ts';

/** Which boxes a person changed: what is sensitive is not ticked at first, all else is. */
export function changedIn(could_tick: readonly string[], ticked: readonly string[]): string[] {
  return could_tick.filter((scope) => ticked.includes(scope) === isSensitive(scope));
}

/** The form has other names for a choice. */
export const placeNames = ['folio_company', 'folio_environment'] as const;
export const choiceName = 'folio_choice';

/** It travels along while the person signs in, encoded once more. */
export const queryMax = 6000;

export function withChoice({ query, company_id, environment }: SealedRequest, choice: string): string {
  const parameters = new URLSearchParams(query);
  for (const [name, value] of [
    [placeNames[0], company_id],
    [placeNames[1], environment],
  ] as const)
    parameters.set(name, value);
  parameters.delete(choiceName);
  const place_alone = parameters.toString();
  parameters.set(choiceName, choice);
  const whole = parameters.toString();
  // An application's own address may leave too little room. The page then begins anew.
  return whole.length <= queryMax ? whole : place_alone;
}

export function placeAsked(
  form: Parameters,
  memberships: Memberships,
  [company, environment_name]: readonly [string, string] = ['company', 'environment'],
) {
  const [company_id, environment] = [form.get(company), form.get(environment_name)];
  const is_theirs = memberships.some(({ company }) => company.company_id === company_id);
  if (!is_theirs || company_id === undefined) return undefined;
  return environment === 'live' || environment === 'test'
    ? ({ company_id, environment } as const)
    : undefined;
}
