/**
 * Names of receivers and of client documents, which tenants and strangers choose. Node's usual look-up holds one of the
 * four threads that also read files and hash passwords, for half a minute where nobody answers: four dead names would
 * stop the process. Queries by c-ares hold none (ADR 34).
 */
import { type LookupAddress, lookup as lookUpName, promises } from 'node:dns';

const timeoutMs = 2000;
const tries = 2;
/** Half of the threads. */
const threadsMax = 2;
const waitingMax = 100;

type Servers = { servers?: readonly string[]; timeout_ms?: number };
type Asked = { family?: number | string };
type Done = (error: Error | null, found?: LookupAddress[]) => void;
export type Resolve = (name: string, options: Asked, done: Done) => void;

/**
 * Public receivers are in the DNS. Where an operator allows private ones, they may be in the hosts file, or known to the
 * system alone.
 * @param asked for tests, in place of the system's servers
 */
export function resolverFor(allowed_ranges: readonly string[], asked: Servers = {}): Resolve {
  return allowed_ranges.length > 0 ? boundedLookUp() : queryFor(asked);
}

function queryFor({ servers, timeout_ms = timeoutMs }: Servers): Resolve {
  const resolver = new promises.Resolver({ timeout: timeout_ms, tries });
  if (servers) resolver.setServers(servers);
  return (name, { family }, done) => {
    const of = (version: 4 | 6): Promise<LookupAddress[]> =>
      (version === 4 ? resolver.resolve4(name) : resolver.resolve6(name)).then((found) =>
        found.map((address) => ({ address, family: version })),
      );
    const asked = family === 4 || family === 6 ? [of(family)] : [of(4), of(6)];
    void Promise.allSettled(asked).then((answers) => {
      const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      done(found.length > 0 ? null : new Error(`${name} is not resolved`), found);
    });
  };
}

function boundedLookUp(): Resolve {
  const waiting: (() => void)[] = [];
  let running = 0;
  const next = () => {
    while (running < threadsMax && waiting.length > 0) {
      running += 1;
      waiting.shift()!();
    }
  };
  return (name, { family }, done) => {
    if (waiting.length >= waitingMax) return done(new Error('too many names wait'));
    waiting.push(() =>
      lookUpName(name, { all: true, family: family === 4 || family === 6 ? family : 0 }, (error, found) => {
        running -= 1;
        done(error, found);
        next();
      }),
    );
    next();
  };
}
