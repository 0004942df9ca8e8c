/** What the text of an option becomes, or why it is refused. */
import { availableParallelism } from 'node:os';
import { isUuid } from '../kernel/uuid7.ts';
import { apiVersions, isApiVersion } from '../kernel/versions.ts';
import { type Option, optional, type Reader, refuse } from './command.ts';

export const readId: Reader<string> = (text) =>
  isUuid(text) ? text.toLowerCase() : refuse('must be an id (a UUID).');

export const readInstant: Reader<Date> = (text) => {
  const instant = new Date(text);
  const is_written = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)$/.test(text);
  return is_written && !Number.isNaN(instant.getTime())
    ? instant
    : refuse('must be an instant, for example 2026-12-31T23:00:00Z.');
};

/** More processes than processors gain nothing. */
const processesMax = 64;

export const readProcesses: Reader<number> = (text) => {
  if (text === 'auto') return Math.min(processesMax, availableParallelism());
  const count = Number(text);
  return /^\d+$/.test(text) && count >= 1 && count <= processesMax
    ? count
    : refuse(`must be auto or a whole number from 1 to ${processesMax}.`);
};

/** An address of HTTP, as it was written. */
const readUrlLike =
  (example: string): Reader<string> =>
  (text) => {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
      refuse(`must be an address, for example ${example}.`);
    return text;
  };

export const readServiceUrl = readUrlLike('http://127.0.0.1:3000');
export const readReceiverUrl = readUrlLike('http://localhost:4000/hook');

/** The HTTP client would refuse other keys later, in its own words. */
export const readKey: Reader<string> = (text) =>
  /^[\x21-\x7e]+$/.test(text) ? text : refuse('must be an API key.');

const readApiVersion: Reader<string> = (text) =>
  isApiVersion(text) ? text : refuse(`must be one of ${apiVersions.join(', ')}.`);

export const apiVersion = (help: string): Option<string | undefined> =>
  optional('DATE', `${help} One of: ${apiVersions.join(', ')}.`, readApiVersion);
