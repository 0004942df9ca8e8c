/**
 * Passwords as argon2id (RFC 9106), kept as PHC text. Each takes 19 MiB and some 50 ms of a thread, so a process makes
 * at most two at a time and refuses others at once. A wait behind strangers' guesses would be in vain. Whoever proves
 * their own again and again, which is never counted, has one of the two.
 */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { networkOf } from '../../../kernel/ip-ranges.ts';
import { fail } from '../../../kernel/problem.ts';
import { FairTurns, TurnsFull } from '../../../platform/fair-turns.ts';
import { plainPassword } from '../rules/password.ts';

type Cost = { memory: number; passes: number; parallelism: number };

/** `memory` in KiB. */
const current: Cost = { memory: 19_456, passes: 2, parallelism: 1 };
const saltBytes = 16;
const tagBytes = 32;
/** A stored text that asks for more is refused: a fault in the database must not use up this process. */
const most: Cost = { memory: 262_144, passes: 10, parallelism: 8 };

const atOnce = 2;
let running = 0;

/** Of one network: four wait for its place, as people of one office may come at once. */
const turns = new FairTurns({
  at_once: Number.POSITIVE_INFINITY,
  at_once_of_company: 1,
  waiting_max: 8,
  weight_max: 8,
  wait_ms: 2000,
});

const derive = promisify(argon2);

const isBusy = () => fail(c.service_unavailable, { retry_after_seconds: 1 });

/** @throws 503 service_unavailable */
async function inPlace<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) throw isBusy();
  running += 1;
  try {
    return await work();
  } finally {
    running -= 1;
  }
}

/** @throws 503 service_unavailable */
export function hashPassword(password: string): Promise<string> {
  return inPlace(async () => {
    const salt = randomBytes(saltBytes);
    const tag = await tagOf(password, salt, tagBytes, current);
    const { memory, passes, parallelism } = current;
    return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`;
  });
}

/**
 * As `isPassword`, for somebody who comes from there.
 * @throws 503 service_unavailable
 */
export async function isPasswordFrom(ip: string, password: string, stored: string | null): Promise<boolean> {
  try {
    return await turns.take(networkOf(ip), 1, () => isPassword(password, stored));
  } catch (error) {
    throw error instanceof TurnsFull ? isBusy() : error;
  }
}

/**
 * Does the same work where there is no password.
 * @throws 503 service_unavailable
 */
export function isPassword(password: string, stored: string | null): Promise<boolean> {
  return inPlace(async () => {
    const { salt, tag, cost } = readPhc(stored ?? nobodys);
    const made = await tagOf(password, salt, tag.length, cost);
    return timingSafeEqual(made, tag) && stored !== null;
  });
}

/** Whether it was made with other parameters than those of today. */
export function isOutdated(stored: string): boolean {
  const { cost, tag } = readPhc(stored);
  return (
    tag.length !== tagBytes ||
    cost.memory !== current.memory ||
    cost.passes !== current.passes ||
    cost.parallelism !== current.parallelism
  );
}

function tagOf(password: string, nonce: Buffer, tagLength: number, cost: Cost): Promise<Buffer> {
  return derive('argon2id', { message: plainPassword(password), nonce, tagLength, ...cost });
}

const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');

const phc =
  /^\$argon2id\$v=19\$m=(\d{1,6}),t=(\d{1,2}),p=(\d)\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

function readPhc(stored: string): { salt: Buffer; tag: Buffer; cost: Cost } {
  const [, memory, passes, parallelism, salt = '', tag = ''] = phc.exec(stored) ?? [];
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const is_bounded =
    cost.memory <= most.memory && cost.passes <= most.passes && cost.parallelism <= most.parallelism;
  if (!is_bounded) throw new Error('A stored password is not the PHC text of argon2id.');
  return { salt: Buffer.from(salt, 'base64'), tag: Buffer.from(tag, 'base64'), cost };
}

/** Of no password: its tag is made of zeros. */
const nobodys = `$argon2id$v=19$m=${current.memory},t=${current.passes},p=${current.parallelism}$${base64(Buffer.alloc(saltBytes, 1))}$${base64(Buffer.alloc(tagBytes))}`;
