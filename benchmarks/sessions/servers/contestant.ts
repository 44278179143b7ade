/** What the harness asks of a server process. */
export interface Contestant {
  readonly port: number
  readonly parts: ReadonlySet<string>
  /** URL of the Redis that all of them share. */
  readonly redis: string
  /** A file for a database of its own. */
  readonly file: string
}

/** Reads `<port> <parts…>` from the command line. */
export function contestant(): Contestant {
  const [port, ...parts] = process.argv.slice(2)
  const { SESSIONS_BENCHMARK_REDIS: redis, SESSIONS_BENCHMARK_FILE: file } = process.env
  if (port === undefined || redis === undefined || file === undefined) {
    throw new Error(`expected <port> <parts…>, came ${process.argv.slice(2).join(' ')}`)
  }
  return { port: Number(port), parts: new Set(parts), redis, file }
}

/** Tells the harness that the port is open, and answers `usage` from then on. */
export function ready(): void {
  process.on('message', (message) => {
    if (message !== 'usage') return
    const { user, system } = process.cpuUsage()
    process.send?.({ cpuMicros: user + system })
  })
  // A server never outlives the harness that started it.
  process.on('disconnect', () => process.exit())
  process.send?.('ready')
}
