/**
 * Options of V8 for processes that make much and keep little, as tests do and a service that starts: with 64 MB for what is new, garbage is
 * hardly ever moved or marked. Node takes the least size on its command line only, not from NODE_OPTIONS.
 */
export const roomyHeap: readonly string[] = ['--min-semi-space-size=64', '--max-semi-space-size=64'];
