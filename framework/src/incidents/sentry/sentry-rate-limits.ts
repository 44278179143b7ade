import type { CollectorResponse } from '../../otlp/post.ts'
import { retryAfterMs } from '../../otlp/retry.ts'

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
