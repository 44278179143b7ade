import { Throwables } from '../base/debugging/throwables.ts'
import { toError } from '../base/debugging/to-error.ts'
import { explainError } from './explain-error.ts'
import { ExitStatus } from './exit-status.ts'
import type { Terminal } from './terminal.ts'

/** From here on what nobody catches is reported, printed, and ends the process with 255. */
export function exitOnUncaught(terminal: Terminal): void {
  process.on('uncaughtException', (thrown: unknown) => {
    const error = toError(thrown)
    Throwables.notify(error, { origin: 'exception' })
    explainError(error, terminal, true)
    process.exit(ExitStatus.Uncaught)
  })
}
