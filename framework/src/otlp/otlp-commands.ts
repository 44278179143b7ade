import { printable } from '../base/encoding/printable.ts'
import { ExitStatus } from '../base/terminal/terminal.ts'
import type { Terminal } from '../base/terminal/terminal.ts'
import { untilSignal } from '../base/terminal/until-signal.ts'
import { systemClock } from './deliver.ts'
import { shipMetrics } from './ship-metrics.ts'
import type { ShipOptions } from './ship-metrics.ts'
import { ShipResults } from './deliver.ts'
import type { ShipOutcome } from './deliver.ts'

/**
 * Sends metrics to a collector and prints the HTTP status: once, or every `interval` seconds until a
 * signal stops it after the current request, a second one immediately.
 */
export async function shipMetricsCommand(
  options: ShipOptions,
  interval: number | null,
  terminal: Terminal,
): Promise<ExitStatus> {
  if (interval === null) {
    const outcome = await shipMetrics(options)
    print(outcome, terminal)
    return outcome.result === ShipResults.Sent ? ExitStatus.Ok : ExitStatus.UserError
  }
  const { signal } = untilSignal()
  while (!signal.aborted) {
    const startMs = performance.now()
    print(await shipMetrics({ ...options, signal }), terminal)
    const tookMs = performance.now() - startMs
    await systemClock.sleep(Math.max(0, interval * 1_000 - tookMs), signal)
  }
  return ExitStatus.Ok
}

function print({ result, status, notice }: ShipOutcome, terminal: Terminal): void {
  if (status !== null) terminal.out(`${status}\n`)
  if (notice === null) return
  const { red, yellow } = terminal.errorPaint
  const word = result === ShipResults.Sent ? yellow('warning') : red('error')
  terminal.err(`${word} ${printable(notice)}\n`)
}
