import { REDACTED } from '../base/mask-text.ts'
import { postRequest } from '../otlp/post.ts'
import type { CollectorResponse, Post, PostOptions } from '../otlp/post.ts'
import { receiverAt } from '../otlp/receiver.ts'
import type { Receiver } from '../otlp/receiver.ts'
import { retryAfterMs } from '../otlp/retry.ts'
import type { Incident } from './incident.ts'
import type { IncidentTarget, SendOutcome, ReportSource } from './incident-target.ts'
import type { SentryDsn } from './incidents-settings.ts'
import { sentryEnvelope } from './sentry-envelope.ts'

/** Options of the target. */
export interface SentryOptions {
  readonly dsn: SentryDsn
  /** Timeout of a request. @default 5_000 */
  readonly timeoutMs?: number
  /** Epoch milliseconds. @default Date.now */
  readonly nowMs?: () => number
  /** Replaces the HTTP client, for tests. */
  readonly fetch?: Post
}

/**
 * Sends incidents to Sentry, one at a time and once: while the server is away or wants a pause, they are
 * lost.
 */
export class SentryTarget implements IncidentTarget {
  readonly name = 'sentry'
  readonly batchSize = 1
  readonly #receiver: Receiver
  readonly #source: ReportSource
  readonly #nowMs: () => number
  readonly #post: PostOptions
  readonly #abandoned = new AbortController()
  #pausedUntilMs = 0

  constructor(options: SentryOptions, source: ReportSource) {
    this.#receiver = receiverOf(options.dsn)
    this.#source = source
    this.#nowMs = options.nowMs ?? Date.now
    this.#post = {
      timeoutMs: options.timeoutMs ?? 5_000,
      signal: this.#abandoned.signal,
      ...(options.fetch !== undefined && { post: options.fetch }),
    }
  }

  async send(incidents: readonly Incident[]): Promise<SendOutcome> {
    for (const incident of incidents) {
      const notice = await this.#sendOne(incident)
      if (notice !== null) return { isSent: false, notice }
    }
    return { isSent: true, notice: null }
  }

  /** There is no second attempt anyway. */
  stop(): void {}

  abandon(): void {
    this.#abandoned.abort()
  }

  /** Null if it was taken, otherwise why not. */
  async #sendOne(incident: Incident): Promise<string | null> {
    const nowMs = this.#nowMs()
    if (nowMs < this.#pausedUntilMs) {
      const seconds = Math.ceil((this.#pausedUntilMs - nowMs) / 1_000)
      return `the server wants no errors for another ${seconds} s`
    }
    const receiver = this.#receiver
    const body = Buffer.from(sentryEnvelope(incident, this.#source, nowMs))
    const headers = [
      ...receiver.headers,
      ['content-type', 'application/x-sentry-envelope'] as const,
    ]
    const response = await postRequest({ receiver, headers, body }, this.#post)
    if (!('status' in response)) {
      return `${receiver.label} did not answer: ${receiver.redact(response.reason)}`
    }
    this.#notePause(response)
    const { status } = response
    return status >= 200 && status < 300 ? null : `${receiver.label} answered ${status}`
  }

  /** Notes how long the server wants to be left alone, which it may say with a success too. */
  #notePause(response: CollectorResponse): void {
    const nowMs = this.#nowMs()
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, nowMs + pauseOf(response, nowMs))
  }
}

function receiverOf({ key, server, project }: SentryDsn): Receiver {
  const auth = `Sentry sentry_version=7, sentry_key=${key}`
  const receiver = receiverAt(server, { 'x-sentry-auth': auth }, `/api/${project}/envelope/`)
  // The key alone is not among the words of the header.
  return { ...receiver, redact: (text) => receiver.redact(text.replaceAll(key, REDACTED)) }
}

/** Pause where a limit does not say how long. */
const defaultPauseMs = 60_000
/** However long a server wants a pause to be. */
const maxPauseMs = 86_400_000

/**
 * For how many milliseconds a response of Sentry wants no more errors; 0 if it wants more. Limits of other
 * categories, such as transactions, do not count.
 */
export function pauseOf(response: ResponseHead, nowMs: number): number {
  return Math.min(wantedMs(response, nowMs), maxPauseMs)
}

type ResponseHead = Pick<CollectorResponse, 'status' | 'header'>

function wantedMs({ status, header }: ResponseHead, nowMs: number): number {
  // Limits between commas, each `seconds:categories:scope`.
  const limits = header('x-sentry-rate-limits')?.trim() ?? ''
  const retryAfter = header('retry-after')
  // The precise header wins; a success may have it too.
  if (limits !== '') return Math.max(...limits.split(',').map(limitMs))
  if (retryAfter !== null) return retryAfterMs(retryAfter, nowMs) ?? defaultPauseMs
  return status === 429 ? defaultPauseMs : 0
}

function limitMs(limit: string): number {
  const [seconds = '', categories = ''] = limit.trim().split(':')
  if (categories !== '' && !categories.split(';').includes('error')) return 0
  return /^\d{1,9}(\.\d{1,9})?$/.test(seconds) ? Number(seconds) * 1_000 : defaultPauseMs
}
