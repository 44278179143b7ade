/**
 * Is told what happens to a server and its workers, and how grave that is: `warn` when it copes by
 * itself, `error` when somebody should look.
 */
export type ServerLog = (
  message: string,
  context: Record<string, unknown>,
  level: 'info' | 'warn' | 'error',
) => void
