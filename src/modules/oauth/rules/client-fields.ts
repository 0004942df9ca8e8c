import type { FieldIssue } from '../../../kernel/problem.ts';
import { invalidField } from '../../../kernel/resource-input.ts';
import { type ClientType, redirectFault } from '../../../domain/oauth/redirect-uris.ts';
import { nameFault } from './client-name.ts';

export function nameIssues(name: string): FieldIssue[] {
  const fault = nameFault(name);
  return fault === null ? [] : [invalidField('name', fault)];
}

export function redirectIssues(uris: readonly string[], type: ClientType): FieldIssue[] {
  return uris.flatMap((uri, index) => {
    const fault = redirectFault(uri, type);
    return fault === null ? [] : [invalidField(`redirect_uris.${index}`, fault)];
  });
}

export function websiteIssues(website: string | null): FieldIssue[] {
  if (website === null) return [];
  const url = URL.canParse(website) ? new URL(website) : null;
  const will_do = url?.protocol === 'https:' && url.username === '' && url.password === '';
  return will_do
    ? []
    : [invalidField('website', 'Tiene que ser una dirección https, sin usuario ni contraseña.')];
}
