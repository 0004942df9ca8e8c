/** compose.yaml as `docker compose` reads it: merged keys, and `${NAME}` from an environment. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from './installation.ts';

export type ComposeService = {
  image: string;
  command: string[];
  environment: Record<string, string>;
  secrets: string[];
  ports?: string[];
  volumes?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  tmpfs?: string[];
  profiles?: string[];
  logging?: { driver: string; options: Record<string, string> };
};
export type ComposeFile = {
  services: Record<string, ComposeService>;
  secrets: Record<string, { file: string }>;
};

/** @throws Error with the file's own words where it needs a variable that is not there */
export function readCompose(variables: Record<string, string>): ComposeFile {
  const text = readFileSync(join(projectRoot, 'compose.yaml'), 'utf8');
  const filled = (_key: unknown, value: unknown) =>
    typeof value === 'string' ? fill(value, variables) : value;
  return parse(text, filled, { merge: true });
}

/** `${NAME}`, `${NAME:-default}` and `${NAME:?complaint}`, as Compose fills them in. */
function fill(text: string, variables: Record<string, string>): string {
  return text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind?: string, rest?: string) => {
    const value = variables[name];
    if (value) return value;
    if (kind === '?') throw new Error(`${name}: ${rest}`);
    return rest ?? '';
  });
}
