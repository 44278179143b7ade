/// <reference lib="dom" />

/** Options of `LiveEvents`. */
export interface LiveEventsOptions {
  /** Seconds after which a connection without an event counts as broken. */
  readonly silence: number
  /** Called with the data of each event, by name. */
  readonly handlers: Readonly<Record<string, (data: unknown) => void>>
  /** Called when the connection was lost, or could not be opened. */
  readonly lost: () => void
}

/** How long the page polls before it tries again, after a connection without a single event. */
const pauseMs = 10_000

/**
 * The events that the server sends to this page. Unlike `EventSource` it does not insist: when it is lost,
 * the page opens it again, and polls while that fails.
 */
export class LiveEvents {
  readonly #options: LiveEventsOptions
  #source: EventSource | null = null
  /** Whether the connection has brought an event: a proxy may hold them back. */
  #isProven = false
  #notBeforeMs = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(options: LiveEventsOptions) {
    this.#options = options
  }

  /** Connects, unless it is connected to this URL; false while there is no use in that, or no URL. */
  open(url: URL | null): boolean {
    if (this.#source !== null && this.#source.url === url?.href) return true
    this.close()
    if (url === null || performance.now() < this.#notBeforeMs) return false
    const source = new EventSource(url)
    this.#source = source
    for (const [name, handle] of Object.entries(this.#options.handlers)) {
      source.addEventListener(name, ({ data }: MessageEvent<string>) => {
        if (this.#source !== source) return
        this.#isProven = true
        this.#listen()
        handle(JSON.parse(data))
      })
    }
    source.addEventListener('error', () => this.#source === source && this.#lose())
    this.#isProven = false
    this.#listen()
    return true
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#source?.close()
    this.#source = null
  }

  #listen(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#lose(), this.#options.silence * 1_000)
  }

  #lose(): void {
    this.close()
    if (!this.#isProven) this.#notBeforeMs = performance.now() + pauseMs
    this.#options.lost()
  }
}
