import { setTimeout as sleep } from 'node:timers/promises'
import type { StatementStats } from '../../metrics/slowest-statements.ts'
import { EncodedData } from '../../http/live/event-text.ts'
import type { EventMessage } from '../../http/live/event-text.ts'
import { jsonFormat } from '../observability/fleet-scrape.ts'
import type { FleetScrape } from '../observability/fleet-scrape.ts'

/** What an open page gets: the last hour, then the documents of `/metrics` and `/metrics/statements`. */
export interface MetricsEvents {
  readonly past: EncodedData
  readonly metrics: EncodedData
  readonly statements: { readonly statements: readonly StatementStats[] }
}

/**
 * The metrics for an open page: what is kept, if anything, and those of now, then at every full interval of `refresh` seconds. All pages of a
 * worker thus read at the same moments and share a scrape, and a page that reads slowly misses some.
 */
export async function* metricsEvents(
  fleet: Pick<FleetScrape, 'text' | 'statements'>,
  past: () => Promise<string>,
  refresh: number,
  signal: AbortSignal,
): AsyncGenerator<EventMessage<MetricsEvents>, never> {
  const refreshMs = refresh * 1_000
  const kept = await past()
  if (kept !== '') yield { name: 'past', data: new EncodedData(kept) }
  for (;;) {
    yield { name: 'metrics', data: new EncodedData((await fleet.text(jsonFormat)).trimEnd()) }
    yield { name: 'statements', data: { statements: await fleet.statements() } }
    await sleep(refreshMs - (Date.now() % refreshMs), undefined, { ref: false, signal })
  }
}
