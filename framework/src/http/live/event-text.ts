import { invalidArgument } from '../../base/errors.ts'
import { checkEventName } from '../../broadcast/broadcast-event.ts'
import type { BroadcastEntry } from '../../broadcast/broadcast-log.ts'
import { formatPosition } from '../../broadcast/position.ts'
import { jsonText } from '../response/json-text.ts'

/** An event of a stream. */
export type EventMessage<Events extends object> = {
  [Name in keyof Events & string]: {
    readonly name: Name
    readonly data: Events[Name]
    /** What the browser sends as `Last-Event-ID` when it reconnects. */
    readonly id?: string
  }
}[keyof Events & string]

/** The `Content-Type` of an event stream. */
export const eventStreamType = 'text/event-stream; charset=utf-8'

/** Further headers of an event stream. Nginx would collect events until its buffer is full. */
export const eventStreamHeaders: readonly (readonly [name: string, value: string])[] = [
  ['Cache-Control', 'no-store, no-transform'],
  ['X-Accel-Buffering', 'no'],
]

/** Data that is JSON already, in one line. */
export class EncodedData {
  readonly json: string

  constructor(json: string) {
    this.json = json
  }
}

/** A comment, which browsers ignore and proxies count as traffic. */
export const heartbeat: Buffer = Buffer.from(':\n\n')

const idForm = /^[\x21-\x7e]{1,128}$/

/**
 * An event as it is sent.
 * @throws InvalidArgumentException for a name or an id that would break the stream.
 */
export function eventText(name: string, data: unknown, id: string | null): string {
  if (id !== null && !idForm.test(id)) {
    throw invalidArgument('the id of an event must be 1 to 128 visible ASCII characters')
  }
  const json = data instanceof EncodedData ? data.json : jsonText(data)
  return textOf(checkEventName(name), json, id)
}

/** Moves the browser's last id on without an event: it remembers it, and tells nobody. */
export function idText(id: string): string {
  return `id: ${id}\n\n`
}

/** Tells a client that it has missed events and must fetch everything anew. */
export function resetText(id: string): string {
  return textOf('reset', '{}', id)
}

/** Seconds after which a browser reconnects. */
export function retryText(seconds: number): string {
  return `retry: ${Math.round(seconds * 1_000)}\n\n`
}

/** A comment, in one or several lines. */
export function commentText(text: string): string {
  const lines = text.split(/\r\n|\r|\n/)
  return `${lines.map((line) => `: ${line}\n`).join('')}\n`
}

const known = new WeakMap<BroadcastEntry, Buffer>()

/** A published event as it is sent: the same bytes for all connections. */
export function entryBytes(entry: BroadcastEntry): Buffer {
  const existing = known.get(entry)
  if (existing !== undefined) return existing
  const { name, data, position } = entry
  const bytes = Buffer.from(textOf(name, data, formatPosition(position)))
  known.set(entry, bytes)
  return bytes
}

// JSON has no line breaks, so one line is always enough.
function textOf(name: string, json: string, id: string | null): string {
  const type = name === 'message' ? '' : `event: ${name}\n`
  return `${id === null ? '' : `id: ${id}\n`}${type}data: ${json}\n\n`
}
