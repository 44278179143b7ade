import type { ServerOptions } from 'node:http'
import { Scenarios } from '../scenarios.ts'

/** What the harness asks of a server process. */
export interface Contestant {
  readonly port: number
  readonly scenario: Scenarios
  /** Options for `http.createServer`; empty for a stock server. */
  readonly http: ServerOptions
}

/** Reads `<port> <scenario> [optimized]` from the command line. */
export function contestant(): Contestant {
  const [port, name, variant] = process.argv.slice(2)
  const scenario = Object.values(Scenarios).find((known) => known === name)
  if (port === undefined || scenario === undefined) {
    throw new Error(
      `expected <port> <scenario> [optimized], came ${process.argv.slice(2).join(' ')}`,
    )
  }
  return {
    port: Number(port),
    scenario,
    http: variant === 'optimized' ? { optimizeEmptyRequests: true } : {},
  }
}

/** Tells the harness that the port is open, and answers `usage` from then on. */
export function ready(): void {
  process.on('message', (message) => {
    if (message !== 'usage') return
    const { user, system } = process.cpuUsage()
    process.send?.({ cpuMicros: user + system, rssBytes: process.memoryUsage.rss() })
  })
  // a server never outlives the harness that started it
  process.on('disconnect', () => process.exit())
  process.send?.('ready')
}
