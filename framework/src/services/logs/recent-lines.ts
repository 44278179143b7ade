import type { Sink } from './sink.ts'

/** What is shown of a line, which a channel has written. */
interface Line {
  readonly level: string
  readonly channel: string
  readonly message: string
  readonly extra?: Readonly<Record<string, unknown>>
}

/** Keeps the latest lines in memory, so that a debug page can show those of its request. */
export class RecentLines implements Sink {
  readonly dropped = 0
  readonly #most: number
  readonly #lines: string[] = []

  constructor(most = 500) {
    this.#most = most
  }

  write(line: string): void {
    this.#lines.push(line)
    // In one go and not line by line: taking one off the front moves all the others.
    if (this.#lines.length >= 2 * this.#most) this.#lines.splice(0, this.#most)
  }

  /** The last lines logged during a request, oldest first, as `level channel: message`. */
  of(request: string, most = 20): string[] {
    return this.#lines
      .slice(-this.#most)
      .filter((line) => line.includes(request))
      .flatMap((line) => shown(line, request))
      .slice(-most)
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
