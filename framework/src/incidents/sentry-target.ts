import { randomUUID } from 'node:crypto'
import { REDACTED, maskSource, maskText } from '../base/mask-text.ts'
import { postRequest } from '../otlp/post.ts'
import type { CollectorResponse, Post, PostOptions } from '../otlp/post.ts'
import { receiverAt } from '../otlp/receiver.ts'
import type { Receiver } from '../otlp/receiver.ts'
import { retryAfterMs } from '../otlp/deliver.ts'
import type { Incident } from './incident.ts'
import type { IncidentTarget, SendOutcome, ReportSource } from './incident-target.ts'
import type { SentryDsn } from './incidents-settings.ts'
import type { Description } from '../errors/reports/description.ts'
import { Relations } from '../errors/stack/error-chain.ts'
import { fileLabel } from '../errors/stack/file-label.ts'
import { Origins } from '../errors/stack/frames.ts'
import type { Frame } from '../errors/stack/frames.ts'
import { excerptOf } from '../errors/stack/source-file.ts'
import { isFatal } from './incident.ts'
import { shownContext, textIn, shownStep, wellFormedJson } from './shown-incident.ts'

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
      abandoned: this.#abandoned.signal,
      ...(options.fetch !== undefined && { fetch: options.fetch }),
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

/** Sentry refuses longer tags. */
const maxTagLength = 200

/** An incident as an envelope of Sentry with one event. */
export function sentryEnvelope(incident: Incident, source: ReportSource, nowMs: number): string {
  const id = randomUUID().replaceAll('-', '')
  const event = wellFormedJson({ event_id: id, ...eventOf(incident, source) })
  const header = { event_id: id, sent_at: new Date(nowMs).toISOString() }
  const length = Buffer.byteLength(event)
  const item = { type: 'event', content_type: 'application/json', length }
  return `${JSON.stringify(header)}\n${JSON.stringify(item)}\n${event}\n`
}

function eventOf(incident: Incident, source: ReportSource): object {
  const { at, chain, activity } = incident
  const account = activity?.account ?? null
  const { release, environment, host, root } = source
  return {
    timestamp: at,
    platform: 'node',
    level: isFatal(incident) ? 'fatal' : 'error',
    logger: 'exceptions',
    environment,
    server_name: host,
    ...(release !== '' && { release }),
    ...(activity !== null && { transaction: activity.title }),
    // The innermost cause first.
    exception: { values: chain.map((one) => exceptionOf(one, incident, root)).toReversed() },
    ...requestOf(incident, source),
    ...(account !== null && { user: { id: account } }),
    tags: tagsOf(incident),
    contexts: contextsOf(incident, root),
    extra: { ...shownContext(incident), ...propertiesOf(chain) },
  }
}

function exceptionOf(one: Description, incident: Incident, root: string): object {
  const { relation, class: type, message: value, frames } = one
  const mechanism =
    relation === Relations.Thrown
      ? // What came from a handler, or ended the process, was not caught by the project.
        { type: 'generic', handled: !isFatal(incident) && incident.activity === null }
      : { type: 'chained', handled: true }
  const stacktrace = { frames: sentryFrames(frames, root) }
  return { type, value, mechanism, ...(frames.length > 0 && { stacktrace }) }
}

function requestOf(incident: Incident, { url }: ReportSource): object {
  const method = textIn(incident, 'method')
  const path = textIn(incident, 'URI')
  if (method === '') return {}
  return { request: { method, url: path.startsWith('/') ? url + path : path } }
}

function tagsOf({ code, activity }: Incident): object {
  const tags = {
    ...(code !== null && { code }),
    ...(activity !== null && { [activity.kind]: activity.id }),
  }
  const entries = Object.entries(tags).map(([name, text]) => [name, text.slice(0, maxTagLength)])
  return Object.fromEntries(entries)
}

function contextsOf({ span, step }: Incident, root: string): object {
  return {
    runtime: { name: 'node', version: process.version },
    ...(span !== null && { trace: { trace_id: span.traceId, span_id: span.spanId } }),
    ...(step !== null && { step: shownStep(step, root) }),
  }
}

/** The properties of the errors by class: Sentry has no place for them beside each error. */
function propertiesOf(chain: readonly Description[]): object {
  const listed = chain.flatMap(({ class: name, properties }) =>
    properties.map((property) => [`${name}.${property.name}`, property.preview] as const),
  )
  return listed.length === 0 ? {} : { properties: Object.fromEntries(listed) }
}

/** Lines of source on each side of a call. */
const margin = 5
/** Only so many calls of an error are shown with their source. */
const maxExcerpts = 5
const maxLineLength = 200

/** A stack as Sentry wants it: the oldest call first, files relative to `root`, secrets masked. */
export function sentryFrames(frames: readonly Frame[], root: string): readonly object[] {
  let excerpts = 0
  const shown = frames.map((frame) => {
    const isOwn = frame.origin === Origins.Application
    const withSource = isOwn && frame.line > 0 && excerpts < maxExcerpts
    if (withSource) excerpts += 1
    return {
      function: frame.call === '' ? '?' : maskText(frame.call),
      filename: maskText(fileLabel(frame.file, root)),
      ...(frame.line > 0 && { lineno: frame.line, colno: frame.column }),
      in_app: isOwn,
      ...(withSource && sourceOf(frame)),
    }
  })
  return shown.toReversed()
}

function sourceOf({ file, line }: Frame): object {
  const excerpt = excerptOf(file, line, margin)
  if (excerpt === null) return {}
  // A secret in the code is a mistake; it should not leave the machine as well.
  const lines = excerpt.lines.map((text) => maskSource(text).slice(0, maxLineLength))
  const at = line - excerpt.first
  return {
    pre_context: lines.slice(0, at),
    context_line: lines[at] ?? '',
    post_context: lines.slice(at + 1),
  }
}
