import { postRequest } from './post.ts'
import type { CollectorResponse, NoResponse, Post, ShipRequest } from './post.ts'
import { isRetryable, retryAfterMs, waitMs } from './retry.ts'
import type { ShipClock } from './ship-clock.ts'
import { ShipResults } from './ship-outcome.ts'
import type { ShipOutcome } from './ship-outcome.ts'

/** Limits of a delivery. */
export interface DeliveryOptions {
  /** Maximum number of attempts. */
  readonly attempts: number
  /** Seconds after which no further attempt starts. */
  readonly retryFor: number
  /** Timeout of one attempt; 0 means no limit. */
  readonly timeoutMs: number
  /** When it aborts, the current attempt is completed and none follows. */
  readonly signal: AbortSignal
  /** When it aborts, even the current attempt ends. */
  readonly abandoned?: AbortSignal
  readonly clock: ShipClock
  /** @default httpPost */
  readonly fetch?: Post
}

/** Posts until the collector gives a final response, within the limits of the options. */
export async function deliver(
  request: ShipRequest,
  options: DeliveryOptions,
): Promise<ShipOutcome> {
  const { attempts, retryFor, timeoutMs, signal, abandoned, clock, fetch } = options
  if (signal.aborted) {
    return { result: ShipResults.Stopped, status: null, attempts: 0, notice: null }
  }
  const post = {
    timeoutMs,
    ...(abandoned !== undefined && { signal: abandoned }),
    ...(fetch !== undefined && { post: fetch }),
  }
  const deadlineMs = clock.now() + retryFor * 1_000
  for (let attempt = 1; ; attempt++) {
    const outcome = await postRequest(request, post)
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
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return Reflect.get(value, name)
}
