import { setTimeout as sleep } from 'node:timers/promises'
import type { StatementStats } from '../../metrics/slowest-statements.ts'
import { EncodedData } from '../../http/live/event-text.ts'
import type { EventMessage } from '../../http/live/event-text.ts'

/** What an open page gets. */
export interface MetricsEvents {
  /** The document of `/metrics` as JSON. */
  readonly metrics: EncodedData
  /** That of `/metrics/statements`. */
  readonly statements: { readonly statements: readonly StatementStats[] }
}

/** Options of `metricsEvents`. */
export interface MetricsEventsOptions {
  readonly metrics: () => Promise<string>
  readonly statements: () => Promise<readonly StatementStats[]>
  /** Seconds between two readings. */
  readonly refresh: number
  /** Ends the events. */
  readonly signal: AbortSignal
}

/**
 * The metrics for an open page: now, then at every full interval. All pages of a worker thus read at the
 * same moments and share a scrape, and a page that reads slowly misses some.
 */
export async function* metricsEvents(
  options: MetricsEventsOptions,
): AsyncGenerator<EventMessage<MetricsEvents>, never> {
  const { metrics, statements, refresh, signal } = options
  const refreshMs = refresh * 1_000
  for (;;) {
    yield { name: 'metrics', data: new EncodedData((await metrics()).trimEnd()) }
    yield { name: 'statements', data: { statements: await statements() } }
    await sleep(refreshMs - (Date.now() % refreshMs), undefined, { ref: false, signal })
  }
}
