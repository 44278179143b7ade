/**
 * Logs events of a server and its workers: `warn` if the server recovers by itself, `error` if somebody
 * should look into it.
 */
export type ServerLog = (
  message: string,
  context: Record<string, unknown>,
  level: 'info' | 'warn' | 'error',
) => void
