import { randomBytes, randomInt } from 'node:crypto';

/** Each tells whoever finds one what it is. */
export const oauthPrefixes = {
  code: 'svc_ac_',
  access: 'svc_at_',
  refresh: 'svc_rt_',
  client: 'svc_cs_',
} as const;

/** 256 random bits. */
export function newOAuthSecret(kind: keyof typeof oauthPrefixes): string {
  return `${oauthPrefixes[kind]}${randomBytes(32).toString('base64url')}`;
}

/** Asked before the database is. */
export function hasSecretForm(kind: keyof typeof oauthPrefixes, text: string): boolean {
  return text.startsWith(oauthPrefixes[kind]) && /^[\w-]{43}$/.test(text.slice(oauthPrefixes[kind].length));
}

/** May be shown. */
export function clientSecretPrefix(secret: string): string {
  return secret.slice(0, oauthPrefixes.client.length + 4);
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** No secret: it names the application. */
export function newClientId(): string {
  let id = 'svc_app_';
  for (let i = 0; i < 22; i++) id += alphabet[randomInt(62)];
  return id;
}
