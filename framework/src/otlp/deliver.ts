import { setTimeout as sleep } from 'node:timers/promises'
import { isRecord } from '../base/is-record.ts'
import { postRequest } from './post.ts'
import type { CollectorResponse, NoResponse, PostOptions, ShipRequest } from './post.ts'

/** Limits of a delivery. */
export interface DeliveryOptions extends PostOptions {
  /** Maximum number of attempts. */
  readonly attempts: number
  /** Seconds after which no further attempt starts. */
  readonly retryFor: number
  /** When it aborts, the current attempt is completed and none follows. */
  readonly signal: AbortSignal
  readonly clock: ShipClock
}

/** Posts until the collector gives a final response, within the limits of the options. */
export async function deliver(
  request: ShipRequest,
  options: DeliveryOptions,
): Promise<ShipOutcome> {
  const { attempts, retryFor, signal, clock } = options
  if (signal.aborted) {
    return { result: ShipResults.Stopped, status: null, attempts: 0, notice: null }
  }
  const deadlineMs = clock.now() + retryFor * 1_000
  for (let attempt = 1; ; attempt++) {
    const outcome = await postRequest(request, options)
    const retry =
      !isFinal(outcome) &&
      attempt < attempts &&
      (await waitForRetry(outcome, attempt, deadlineMs, options))
    if (!retry) return outcomeOf(outcome, attempt, request)
  }
}

/** How a process ends: first no pause is waited for any more, later no attempt is made. */
export interface DeliveryEnd {
  readonly stopping: AbortSignal
  readonly abandoned: AbortSignal
}

/**
 * Like `deliver`, until the process stops: then a pause before the next attempt ends, and one last attempt is
 * made at once. A collector that is away must not hold up the process, but one that was busy may take it.
 */
export async function deliverUntilStop(
  request: ShipRequest,
  options: Omit<DeliveryOptions, 'signal' | 'abandoned'>,
  { stopping, abandoned }: DeliveryEnd,
): Promise<ShipOutcome> {
  if (!stopping.aborted) {
    const outcome = await deliver(request, { ...options, signal: stopping, abandoned })
    const { result, status } = outcome
    const mayBeTaken = result === ShipResults.Unreachable || isRetryable(status ?? 0)
    if (!stopping.aborted || abandoned.aborted || !mayBeTaken) return outcome
  }
  return deliver(request, { ...options, attempts: 1, signal: abandoned, abandoned })
}

function isFinal(outcome: CollectorResponse | NoResponse): boolean {
  return 'status' in outcome && !isRetryable(outcome.status)
}

/** Waits for the next attempt; false when there is none. */
async function waitForRetry(
  outcome: CollectorResponse | NoResponse,
  attempt: number,
  deadlineMs: number,
  { signal, clock }: DeliveryOptions,
): Promise<boolean> {
  const nowMs = clock.now()
  const requestedMs =
    'status' in outcome ? retryAfterMs(outcome.header('retry-after'), nowMs) : null
  const pauseMs = waitMs(attempt, requestedMs, clock.random())
  if (nowMs + pauseMs > deadlineMs) return false
  await clock.sleep(pauseMs, signal)
  return !signal.aborted
}

function outcomeOf(
  outcome: CollectorResponse | NoResponse,
  attempts: number,
  { receiver }: ShipRequest,
): ShipOutcome {
  const tries = attempts === 1 ? '' : ` after ${attempts} attempts`
  if (!('status' in outcome)) {
    const reason = receiver.redact(outcome.reason)
    const notice = `${receiver.label} did not answer${tries}: ${reason}`
    return { result: ShipResults.Unreachable, status: null, attempts, notice }
  }
  const { status } = outcome
  if (status >= 200 && status < 300) {
    const message = acceptanceMessage(outcome)
    const notice = message === null ? null : receiver.redact(message)
    return { result: ShipResults.Sent, status, attempts, notice }
  }
  const message = isRedirect(status)
    ? 'redirects are not followed; use the URL of the collector itself as the endpoint'
    : receiver.redact(rejectionMessage(outcome))
  const notice = `${receiver.label} answered ${status}${tries}${message === '' ? '' : `: ${message}`}`
  return { result: ShipResults.Refused, status, attempts, notice }
}

/** The warning or partial rejection in a successful response; null when there is none. */
function acceptanceMessage({ text }: CollectorResponse): string | null {
  const partial = member(parse(text), 'partialSuccess')
  const [rejected, noun] = rejectedIn(partial)
  const message = member(partial, 'errorMessage')
  const words = typeof message === 'string' ? message : ''
  if (rejected === 0n) return words === '' ? null : `the collector warns: ${words}`
  const what = `the collector rejected ${rejected} ${noun}${rejected === 1n ? '' : 's'}`
  return words === '' ? what : `${what}: ${words}`
}

const nouns = {
  rejectedDataPoints: 'data point',
  rejectedSpans: 'span',
  rejectedLogRecords: 'log record',
} as const

function rejectedIn(partial: unknown): readonly [number: bigint, noun: string] {
  for (const [name, noun] of Object.entries(nouns)) {
    const given = String(member(partial, name))
    if (/^\d{1,20}$/.test(given)) return [BigInt(given), noun]
  }
  return [0n, '']
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400
}

/** The error message in a failed response; `''` when there is none. */
function rejectionMessage({ header, text }: CollectorResponse): string {
  const message = member(parse(text), 'message')
  if (typeof message === 'string') return message
  return header('content-type')?.startsWith('text/plain') ? text : ''
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function member(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/** Results of a shipment. */
export const ShipResults = {
  /** The collector accepted it. */
  Sent: 'sent',
  /** There was no fresh snapshot to send. */
  Empty: 'empty',
  /** The last response was not a success. */
  Refused: 'refused',
  /** The last attempt got no response. */
  Unreachable: 'unreachable',
  /** The signal aborted before the first attempt. */
  Stopped: 'stopped',
} as const
Object.freeze(ShipResults)

/** The result of a shipment. */
export type ShipResults = (typeof ShipResults)[keyof typeof ShipResults]

/** The outcome of a shipment. */
export interface ShipOutcome {
  readonly result: ShipResults
  /** HTTP status of the last response; null when the last attempt got none. */
  readonly status: number | null
  /** Number of attempts. */
  readonly attempts: number
  /**
   * A message for people: why it failed, or the collector's warning. Null when there is none. It
   * never contains header values or user info.
   */
  readonly notice: string | null
}

/** Statuses that ask for a retry. */
const retryable = new Set([429, 502, 503, 504])

const firstWaitMs = 1_000
const maxWaitMs = 16_000
/** Random extra after a `Retry-After`, so that not all clients return at the same moment. */
const spreadMs = 1_000

/** Whether the same request may succeed later. */
export function isRetryable(status: number): boolean {
  return retryable.has(status)
}

/**
 * How long to wait after attempt number `attempt`: at least as long as the collector requested, else
 * exponentially longer each time. `random`, from 0 to 1, spreads clients that failed together.
 */
export function waitMs(attempt: number, requestedMs: number | null, random: number): number {
  if (requestedMs !== null) return requestedMs + random * spreadMs
  const max = Math.min(firstWaitMs * 2 ** (attempt - 1), maxWaitMs)
  return max / 2 + (random * max) / 2
}

/** The delay that a `Retry-After` header requests, in seconds or as a date; null when invalid. */
export function retryAfterMs(header: string | null, nowMs: number): number | null {
  const text = header?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000
  // HTTP dates start with a weekday; Date.parse alone accepts almost anything.
  const dateMs = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(dateMs) ? null : Math.max(0, dateMs - nowMs)
}

/** Time and randomness for shipping, replaceable in tests. */
export interface ShipClock {
  /** Epoch milliseconds. */
  now(): number
  /** A number from 0 up to but not including 1. */
  random(): number
  /** Resolves after the time, or when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

/** The real clock and random numbers. */
export const systemClock: ShipClock = {
  now: () => Date.now(),
  random: () => Math.random(),
  async sleep(ms, signal) {
    try {
      await sleep(ms, undefined, { signal })
    } catch {
      // It rejects only when the signal aborts.
    }
  },
}
