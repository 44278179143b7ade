import type { Sink } from './sink.ts'

/** The parts of a channel's line that are shown. */
interface Line {
  readonly level: string
  readonly channel: string
  readonly message: string
  readonly extra?: Readonly<Record<string, unknown>>
}

/** Keeps the latest lines in memory, so that a debug page can show those of its request. */
export class RecentLines implements Sink {
  readonly dropped = 0
  readonly #max: number
  readonly #lines: string[] = []

  constructor(max = 500) {
    this.#max = max
  }

  write(line: string): void {
    this.#lines.push(line)
    // Many lines at a time: removing one from the front moves all the others.
    if (this.#lines.length >= 2 * this.#max) this.#lines.splice(0, this.#max)
  }

  /** The last lines logged during a request, oldest first, as `level channel: message`. */
  of(request: string, max = 20): string[] {
    return this.#lines
      .slice(-this.#max)
      .filter((line) => line.includes(request))
      .flatMap((line) => shown(line, request))
      .slice(-max)
  }

  flush(): Promise<void> {
    return Promise.resolve()
  }

  flushSync(): void {}

  close(): Promise<void> {
    this.#lines.length = 0
    return Promise.resolve()
  }
}

function shown(line: string, request: string): string[] {
  const { level, channel, message, extra } = JSON.parse(line) as Line
  return extra?.['request'] === request ? [`${level} ${channel}: ${message}`] : []
}
