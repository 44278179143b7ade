/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { byId, setText } from './elements.ts'

/** Options of `LivePage`. */
export interface LivePageOptions {
  /** URL of the events; null if there are none. */
  readonly events: () => URL | null
  /** Where the data of each event are while there are none, by its name; null if nowhere. */
  readonly polled: () => Readonly<Record<string, URL | null>>
  /** Shows the data of an event. Returns what is wrong with them, else ''. */
  readonly show: (name: string, data: unknown) => string
  /** Seconds between two polls; after failures it is doubled, up to `maxWait`. */
  readonly refresh: number
  readonly maxWait: number
  /** Seconds after which a connection without an event counts as broken. */
  readonly silence: number
}

/** How long the page polls before it tries again, after a connection without a single event. */
const pauseMs = 10_000

/**
 * Follows what the server sends as events, unless nobody is looking or the button `pause` was pressed.
 * Unlike `EventSource` it does not insist: while there are no events, it polls, one request at a time.
 */
export class LivePage {
  readonly #options: LivePageOptions
  readonly #pause = byId('pause', HTMLButtonElement)
  #source: EventSource | null = null
  /** Whether the connection has brought an event: a proxy may hold them back. */
  #isProven = false
  #notBeforeMs = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #failures = 0
  #isPolling = false
  #isPaused = false
  /** Whether to look once although it is paused. */
  #isAsked = false

  constructor(options: LivePageOptions) {
    this.#options = options
  }

  /** Shows what is only there with a script, and looks from now on. */
  start(): void {
    const look = (): void => this.#look()
    this.#pause.addEventListener('click', () => {
      this.#isPaused = !this.#isPaused
      setText(this.#pause, this.#isPaused ? 'Resume' : 'Pause')
      if (this.#isPaused) this.#setState('paused', 'Paused')
      this.#look()
    })
    document.addEventListener('visibilitychange', look)
    window.addEventListener('online', look)
    for (const element of document.querySelectorAll<HTMLElement>('.live')) element.hidden = false
    look()
  }

  /** Looks again in a moment, at URLs that have changed; also if it is paused. */
  ask(afterMs: number): void {
    this.#isAsked = true
    this.#close()
    this.#schedule(afterMs)
  }

  #look(): void {
    clearTimeout(this.#timer)
    if (document.hidden || this.#isPaused) this.#close()
    if (document.hidden || (this.#isPaused && !this.#isAsked)) return
    if (this.#isPaused || !this.#open()) void this.#poll()
  }

  /** Connects, unless it is connected to this URL; false while there is no use in that, or no URL. */
  #open(): boolean {
    const url = this.#options.events()
    if (this.#source !== null && this.#source.url === url?.href) return true
    this.#close()
    if (url === null || performance.now() < this.#notBeforeMs) return false
    const source = new EventSource(url)
    this.#source = source
    for (const name of Object.keys(this.#options.polled())) {
      source.addEventListener(name, ({ data }: MessageEvent<string>) => {
        if (this.#source !== source) return
        this.#isProven = true
        this.#listen()
        if (this.#options.show(name, JSON.parse(data)) === '') this.#succeed()
      })
    }
    source.addEventListener('error', () => this.#source === source && this.#lose())
    this.#isProven = false
    this.#isAsked = false
    this.#listen()
    return true
  }

  #close(): void {
    clearTimeout(this.#timer)
    this.#source?.close()
    this.#source = null
  }

  #listen(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#lose(), this.#options.silence * 1_000)
  }

  #lose(): void {
    this.#close()
    if (!this.#isProven) this.#notBeforeMs = performance.now() + pauseMs
    this.#look()
  }

  async #poll(): Promise<void> {
    if (this.#isPolling) return
    this.#isPolling = true
    this.#isAsked = false
    const problem = await this.#problemOfPoll()
    this.#isPolling = false
    if (this.#isPaused && !this.#isAsked) return
    if (problem === '') this.#succeed()
    else this.#failures += 1
    const { refresh, maxWait } = this.#options
    const seconds = nextDelay(this.#failures, refresh, maxWait)
    this.#schedule(seconds * 1_000)
    if (problem === '') return
    this.#setState('failing', `${problem}. Next attempt in ${Math.ceil(seconds)} s.`)
  }

  /** Shows what is there. Returns why it could not, else ''. */
  async #problemOfPoll(): Promise<string> {
    for (const [name, url] of Object.entries(this.#options.polled())) {
      if (url === null) continue
      const headers = { accept: 'application/json' }
      const signal = AbortSignal.timeout(10_000)
      const response = await fetch(url, { headers, signal, cache: 'no-store' }).catch(() => null)
      if (response === null) return 'The server does not respond'
      if (!response.ok) return `The server responded with status ${response.status}`
      const problem = this.#options.show(name, await response.json().catch(() => null))
      if (problem !== '') return problem
    }
    return ''
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#look(), ms)
  }

  #succeed(): void {
    this.#failures = 0
    if (!this.#isPaused) this.#setState('live', 'Live')
  }

  #setState(state: string, text: string): void {
    document.body.dataset['state'] = state
    setText(byId('state', HTMLElement), text)
  }
}

/** Seconds until the next poll: doubled after each failure, up to `max`. */
export function nextDelay(failures: number, refresh: number, max: number): number {
  return Math.max(refresh, Math.min(max, refresh * 2 ** failures))
}
