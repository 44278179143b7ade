import { isRecord } from '../base/is-record.ts'
import { lateModule } from '../base/late-module.ts'
import { paintIn } from '../base/terminal/paints.ts'
import type { Style } from '../base/terminal/paints.ts'
import type { Sink } from './sink.ts'
import { StreamWriter } from './stream-writer.ts'
import type { StreamSinkOptions } from './stream-writer.ts'
import type * as TerminalException from './terminal-exception.ts'
import { visible } from './visible.ts'

/** It brings the highlighting of sources. */
const loadTerminalException = lateModule<typeof TerminalException>(
  import.meta,
  './terminal-exception',
)

/** Options of `terminalSink`. */
export interface TerminalSinkOptions extends StreamSinkOptions {
  /** @default process.stdout */
  readonly stream?: NodeJS.WritableStream
  /** @default false */
  readonly colour?: boolean
}

/** Writes each line immediately in readable form, without raw control characters. */
export function terminalSink({
  stream = process.stdout,
  colour = false,
  ...options
}: TerminalSinkOptions = {}): Sink {
  const format = (line: string): string => terminalLine(line, colour)
  return new StreamWriter(stream, { name: 'terminal', immediate: true, format, ...options })
}

/** Styles a text, or leaves it unchanged where there are no colours. */
type Paint = (style: Style, text: string) => string

const styles: Readonly<Record<string, Style>> = {
  DEBUG: 'dim',
  INFO: 'green',
  WARN: 'yellow',
  ERROR: 'red',
  FATAL: ['bgRed', 'whiteBright'],
}

const slowMs = 200
const verySlowMs = 1_000

/**
 * A channel's JSON line in readable form: time, level, channel, message and `key=value`. A request is
 * one short line, an exception a report.
 */
export function terminalLine(line: string, colour: boolean): string {
  const entry: unknown = JSON.parse(line)
  const fields = isRecord(entry) ? entry : {}
  const { timestamp, level, channel, message, context } = fields
  const paint: Paint = (style, text) => paintIn(style, colour)(text)
  const time = paint('dim', timeOf(timestamp))
  const request = channel === 'requests' ? terminalRequest(context, paint) : null
  if (request !== null) return `${time} ${request}\n`
  const label = visible(level).padEnd(5)
  const head = [
    time,
    paint(styles[label.trimEnd()] ?? 'dim', label),
    paint('cyan', visible(channel)),
  ]
  const report = channel === 'exceptions' ? reportOf(message, context, colour) : null
  if (report !== null) return `${head.join(' ')}\n${report}`
  const parts = [visible(message), fieldsOf(fields, paint)]
  return `${[...head, ...parts].filter((part) => part !== '').join(' ')}\n`
}

function timeOf(timestamp: unknown): string {
  const date = new Date(Number(timestamp) * 1_000)
  const two = (value: number): string => String(value).padStart(2, '0')
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')
  return `${clock}.${String(date.getMilliseconds()).padStart(3, '0')}`
}

/**
 * A line of the request log for a screen: method, path, status, milliseconds and statements. Null if the
 * context is not that of a request.
 */
function terminalRequest(context: unknown, paint: Paint): string | null {
  if (!isRecord(context)) return null
  const { method, route, path, status, ms, queries, queryMs, gone } = context
  if (typeof method !== 'string' || typeof status !== 'number' || typeof ms !== 'number')
    return null
  const parts = [
    paint('bold', visible(method).padEnd(4)),
    visible(route ?? path ?? '(no route)'),
    paint(statusStyle(status), String(status)),
    paint(ms >= verySlowMs ? 'red' : ms >= slowMs ? 'yellow' : 'dim', `${ms} ms`),
    paint('dim', statementsOf(queries, queryMs)),
    paint('yellow', gone === true ? 'the client disconnected' : ''),
  ]
  return parts.filter((part) => part !== '').join(' ')
}

function statusStyle(status: number): Style {
  if (status >= 500) return 'red'
  if (status >= 400) return 'yellow'
  return status >= 300 ? 'cyan' : 'green'
}

function statementsOf(queries: unknown, queryMs: unknown): string {
  if (typeof queries !== 'number' || queries === 0) return ''
  return `${queries} ${queries === 1 ? 'query' : 'queries'} ${visible(queryMs)} ms`
}

function reportOf(message: unknown, context: unknown, colour: boolean): string | null {
  try {
    return loadTerminalException().terminalException(message, context, colour)
  } catch {
    // No file descriptors are left: better a plain line than none.
    return null
  }
}

function fieldsOf({ context, extra }: Readonly<Record<string, unknown>>, paint: Paint): string {
  return paint('dim', [...pairs(context), ...pairs(extra)].join(' '))
}

function pairs(fields: unknown): string[] {
  if (!isRecord(fields)) return []
  return Object.entries(fields).map(([key, value]) => `${visible(key)}=${shown(value)}`)
}

function shown(value: unknown): string {
  if (typeof value === 'string' && /^[^\s"=]+$/.test(value)) return visible(value)
  return visible(JSON.stringify(value))
}
