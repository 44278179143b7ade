import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { isRecord } from '../base/is-record.ts'

/** A request of Node's HTTP client. */
export interface ClientRequest {
  readonly method: string
  readonly origin: string
  readonly path: string
  readonly headers: unknown
  addHeader(name: string, value: string): unknown
}

/** Follows one `fetch`. */
export interface FetchFollower {
  answered?(status: number): void
  /** Called once, with what it failed with if it did. */
  ended(error: unknown): void
}

/**
 * Asks `begin` at every `fetch` who follows it, by the channels on which Node's client tells what it
 * does. Returns a function that stops it.
 */
export function followFetches(begin: (request: ClientRequest) => FetchFollower | null): () => void {
  const followers = new WeakMap<object, FetchFollower>()
  const end = (message: unknown, error: unknown): void => {
    const request = requestIn(message)
    if (request === null) return
    followers.get(request)?.ended(error)
    followers.delete(request)
  }
  const listeners = {
    'undici:request:create': (message: unknown) => {
      const request = requestIn(message)
      const follower = request === null ? null : begin(request)
      if (request !== null && follower !== null) followers.set(request, follower)
    },
    'undici:request:headers': (message: unknown) => {
      const request = requestIn(message)
      if (request !== null) followers.get(request)?.answered?.(statusIn(message))
    },
    'undici:request:trailers': (message: unknown) => end(message, null),
    'undici:request:error': (message: unknown) => end(message, member(message, 'error')),
  }
  for (const [name, listener] of Object.entries(listeners)) subscribe(name, listener)
  return () => {
    for (const [name, listener] of Object.entries(listeners)) unsubscribe(name, listener)
  }
}

function requestIn(message: unknown): ClientRequest | null {
  const request = member(message, 'request')
  return isClientRequest(request) ? request : null
}

function isClientRequest(value: unknown): value is ClientRequest {
  return (
    typeof member(value, 'addHeader') === 'function' &&
    typeof member(value, 'method') === 'string' &&
    typeof member(value, 'path') === 'string'
  )
}

function statusIn(message: unknown): number {
  const status = member(member(message, 'response'), 'statusCode')
  return typeof status === 'number' ? status : 0
}

function member(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined
}
