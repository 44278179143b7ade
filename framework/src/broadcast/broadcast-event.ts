import { jsonOf } from '../base/encoding/json-of.ts'
import type { JsonOf } from '../base/encoding/json-of.ts'
import { invalidArgument } from '../base/errors.ts'
import type { NewEntry } from './broadcast-log.ts'

/** The data of events by their names, by channel; channels may have patterns: `` `user:${number}` ``. */
export type ChannelMap = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** An event of a channel, as its subscribers get it. */
export type BroadcastEvent<Events extends object> = {
  [Name in keyof Events & string]: {
    readonly id: string
    readonly name: Name
    /** After a round trip through JSON: a `Date` is a string. */
    readonly data: JsonOf<Events[Name]>
  }
}[keyof Events & string]

/** The events of one or several channels by name. */
export type EventsOf<Channels, Names extends keyof Channels> = {
  readonly [Name in NamesIn<Channels[Names]>]: DataIn<Channels[Names], Name>
}

type NamesIn<Events> = Events extends object ? keyof Events & string : never
type DataIn<Events, Name extends string> = Events extends { readonly [N in Name]: infer Data }
  ? Data
  : never

/** Event names that mean something else to browsers, or to `response.events`. */
const reserved: ReadonlySet<string> = new Set(['open', 'error', 'reset'])
const nameForm = /^[\w.:-]{1,64}$/
const channelForm = /^[\x21-\x7e]{1,128}$/
/** An event says what changed; larger things are fetched. */
const maxBytes = 65_536

/**
 * An event as it is stored.
 * @throws InvalidArgumentException for an invalid channel or name, and for data that is not JSON or too
 *   large. The message does not show the data.
 */
export function encodeEvent(channel: string, name: string, data: unknown): NewEntry {
  return { channel: checkChannel(channel), name: checkEventName(name), data: encodeData(data) }
}

/** @throws InvalidArgumentException for a name that browsers could not listen to. */
export function checkEventName(name: string): string {
  if (nameForm.test(name) && !reserved.has(name)) return name
  const expected = '1 to 64 letters, digits, "_", ".", ":" or "-", and not open, error or reset'
  throw invalidArgument(`an event name must be ${expected}, got ${JSON.stringify(name)}`)
}

/** @throws InvalidArgumentException for anything but 1 to 128 visible ASCII characters. */
export function checkChannel(channel: string): string {
  if (channelForm.test(channel)) return channel
  const got = JSON.stringify(channel)
  throw invalidArgument(`a channel must be 1 to 128 visible ASCII characters, got ${got}`)
}

function encodeData(data: unknown): string {
  const text = jsonOf(data, (got) =>
    invalidArgument(`the data of an event must be JSON, got ${got}`),
  )
  const bytes = Buffer.byteLength(text)
  if (bytes <= maxBytes) return text
  const advice = 'send an id and let clients fetch the rest'
  throw invalidArgument(`an event has at most ${maxBytes} bytes of JSON, got ${bytes}; ${advice}`)
}
