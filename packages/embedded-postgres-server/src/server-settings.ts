/** Settings for a machine that also runs the program. Nobody edits the data folder. */

/** A private Unix socket, or the loopback address on Windows. `own_dir`: a second socket in the data, where it fits. */
type Listening = { socket_dir: string | undefined; own_dir?: string | undefined; port: number };

const TUNED: Readonly<Record<string, string>> = {
  shared_buffers: '128MB',
  max_connections: '100',
  // Room for bursts of writes; recovery still takes seconds.
  max_wal_size: '2GB',
  checkpoint_timeout: '10min',
  random_page_cost: '1.1',
  // Compiling short queries costs more than it gains.
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // Statements and error details may hold personal data.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
};

const DURABLE: Readonly<Record<string, string>> = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
};

const NOT_DURABLE: Readonly<Record<string, string>> = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
};

/** @param settings the caller's own; they cannot change where the server listens */
export function serverArguments(
  pgdata: string,
  durable: boolean,
  settings: Readonly<Record<string, string>>,
  listening: Listening,
): string[] {
  const all = {
    ...TUNED,
    ...(durable ? DURABLE : NOT_DURABLE),
    ...settings,
    ...listeningSettings(listening),
  };
  return ['-D', pgdata, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

function listeningSettings({ socket_dir, own_dir, port }: Listening): Record<string, string> {
  if (socket_dir === undefined) {
    return { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: String(port) };
  }
  return {
    listen_addresses: '',
    // The pid file tells the first.
    unix_socket_directories: [socket_dir, own_dir]
      .filter((dir) => dir !== undefined)
      .map(quoteListItem)
      .join(','),
    unix_socket_permissions: '0700',
    port: String(port),
  };
}

/** The setting is a list with commas. A folder's name may hold one. */
function quoteListItem(item: string): string {
  return `"${item.replaceAll('"', '""')}"`;
}
