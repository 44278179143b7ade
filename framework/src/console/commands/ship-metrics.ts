import { resolve } from 'node:path'
import { shippingSettings } from '../../project/shipping-settings.ts'
import type { Environments } from '../../settings/environments.ts'
import { printable } from '../../base/encoding/printable.ts'
import { systemClock } from '../../otlp/ship-clock.ts'
import { shipMetrics } from '../../otlp/ship-metrics.ts'
import type { ShipOptions } from '../../otlp/ship-metrics.ts'
import { ShipResults } from '../../otlp/ship-outcome.ts'
import type { ShipOutcome } from '../../otlp/ship-outcome.ts'
import { enterEnvironment } from '../enter-environment.ts'
import { ExitStatus } from '../../base/terminal/exit-status.ts'
import type { Terminal } from '../../base/terminal/terminal.ts'

/** Options of `framework ship-metrics`. */
export interface ShipMetricsFlags {
  readonly project: string
  readonly environment?: Environments
  readonly folder?: string
  /** Seconds between two exports; without it there is only one. */
  readonly interval?: number
  /** Seconds for which a failed export is retried. */
  readonly retryFor?: number
}

/** Sends the metrics of a project to a collector and prints the HTTP status. */
export async function shipProjectMetrics(
  flags: ShipMetricsFlags,
  terminal: Terminal,
): Promise<ExitStatus> {
  const root = resolve(flags.project)
  const options: ShipOptions = {
    ...shippingSettings(root, enterEnvironment(root, flags.environment)),
    ...(flags.folder !== undefined && { folder: resolve(flags.folder) }),
    ...(flags.retryFor !== undefined && { retryFor: flags.retryFor }),
  }
  if (flags.interval !== undefined) return shipUntilStopped(options, flags.interval, terminal)
  const outcome = await shipMetrics(options)
  print(outcome, terminal)
  return outcome.result === ShipResults.Sent ? ExitStatus.Ok : ExitStatus.UserError
}

/** Ships at an interval. A signal stops it after the current request, a second one immediately. */
async function shipUntilStopped(
  options: ShipOptions,
  interval: number,
  terminal: Terminal,
): Promise<ExitStatus> {
  const stopping = new AbortController()
  const { signal } = stopping
  const stop = (): void => {
    stopping.abort()
    process.off('SIGTERM', stop).off('SIGINT', stop)
  }
  process.on('SIGTERM', stop).on('SIGINT', stop)
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
