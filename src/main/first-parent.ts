/** Who started this process. Read before anything else is loaded: a parent that ends is replaced by another. */
export const firstParent = process.ppid;
