import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { isRecord } from '../base/is-record.ts'
import { noteFailedCall } from '../errors/stack/frames.ts'
import { callSiteIn, captureStack } from './caller.ts'

/** A request of Node's HTTP client. */
export interface ClientRequest {
  readonly method: string
  readonly origin: string
  readonly path: string
  readonly headers: unknown
  addHeader(name: string, value: string): unknown
}

/** Called when a `fetch` ends: with its status, 0 without an answer, and with what it failed with; null for nothing. */
export type FetchEnd = (status: number, error: unknown) => void

/**
 * Asks `begin` at every `fetch` whom to tell of its end, by the channels on which Node's client tells what
 * it does. Returns a function that stops it.
 */
export function followFetches(begin: (request: ClientRequest) => FetchEnd | null): () => void {
  const open = new WeakMap<object, { readonly ended: FetchEnd; status: number }>()
  const end = (message: unknown, error: unknown): void => {
    const request = requestIn(message)
    const call = request === null ? undefined : open.get(request)
    if (request === null || call === undefined) return
    call.ended(call.status, error)
    open.delete(request)
  }
  const listeners = {
    'undici:request:create': (message: unknown) => {
      const request = requestIn(message)
      const ended = request === null ? null : begin(request)
      if (request !== null && ended !== null) open.set(request, { ended, status: 0 })
    },
    'undici:request:headers': (message: unknown) => {
      const request = requestIn(message)
      const call = request === null ? undefined : open.get(request)
      if (call !== undefined) call.status = statusIn(message)
    },
    'undici:request:trailers': (message: unknown) => end(message, null),
    'undici:request:error': (message: unknown) => end(message, member(message, 'error')),
  }
  for (const [name, listener] of Object.entries(listeners)) subscribe(name, listener)
  return () => {
    for (const [name, listener] of Object.entries(listeners)) unsubscribe(name, listener)
  }
}

/** Why a `fetch` failed, for steps; null if it did not. */
export function fetchFailure(status: number, error: unknown): string | null {
  if (error !== null) return 'error'
  return status >= 400 ? String(status) : null
}

let keepers = 0
let stopKeeping = (): void => {}

/**
 * Remembers which line called a `fetch` that fails: the error of a connection that was refused has no stack,
 * and that of its cause begins at the socket. Returns a function that stops it.
 */
export function keepFetchCallers(): () => void {
  keepers += 1
  if (keepers === 1) stopKeeping = wrapFetch()
  return () => {
    keepers -= 1
    if (keepers === 0) stopKeeping()
  }
}

function wrapFetch(): () => void {
  const plain = globalThis.fetch
  const fetch: typeof plain = async (...parameters) => {
    try {
      return await plain(...parameters)
    } catch (error) {
      // Behind an await the stack has whoever awaits this: nothing has to be kept meanwhile.
      const caller = callSiteIn(captureStack(fetch))
      if (error instanceof Error) noteFailedCall(error, { caller })
      throw error
    }
  }
  globalThis.fetch = fetch
  return () => {
    // What others have put around it is theirs.
    if (globalThis.fetch === fetch) globalThis.fetch = plain
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
