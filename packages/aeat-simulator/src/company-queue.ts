/** Runs the work of each company in sequence. Companies do not wait for each other. */
export type CompanyQueue = {
  run: <T>(company_id: string, work: () => Promise<T>) => Promise<T>;
  /** Resolves when all begun work is done. */
  settled: () => Promise<void>;
};

export function companyQueue(): CompanyQueue {
  const tails = new Map<string, Promise<unknown>>();
  return {
    run(company_id, work) {
      const before = tails.get(company_id) ?? Promise.resolve();
      const result = before.then(work);
      const tail = result.catch(() => undefined);
      tails.set(company_id, tail);
      void tail.then(() => {
        if (tails.get(company_id) === tail) tails.delete(company_id);
      });
      return result;
    },
    async settled() {
      await Promise.all([...tails.values()]);
    },
  };
}
