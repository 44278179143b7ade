import { isRecord } from './terminal/is-record.ts'
import { loadTerminalException } from './terminal/load-terminal-exception.ts'
import { terminalPaint, visible } from './terminal/terminal-paint.ts'
import type { TerminalPaint, TerminalStyle } from './terminal/terminal-paint.ts'
import { terminalRequest } from './terminal/terminal-request.ts'

const styles: Readonly<Record<string, TerminalStyle>> = {
  DEBUG: 'dim',
  INFO: 'green',
  WARN: 'yellow',
  ERROR: 'red',
  FATAL: ['bgRed', 'whiteBright'],
}

/**
 * A channel's JSON line in readable form: time, level, channel, message and `key=value`. A request is
 * one short line, an exception a report.
 */
export function terminalLine(line: string, colour: boolean): string {
  const entry: unknown = JSON.parse(line)
  const fields = isRecord(entry) ? entry : {}
  const { timestamp, level, channel, message, context } = fields
  const paint = terminalPaint(colour)
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
  const rest = [visible(message), fieldsOf(fields, paint)]
  return `${[...head, ...rest].filter((part) => part !== '').join(' ')}\n`
}

function reportOf(message: unknown, context: unknown, colour: boolean): string | null {
  try {
    return loadTerminalException().terminalException(message, context, colour)
  } catch {
    // No file descriptors are left: better a plain line than none.
    return null
  }
}

function fieldsOf(
  { context, extra }: Readonly<Record<string, unknown>>,
  paint: TerminalPaint,
): string {
  return paint('dim', [...pairs(context), ...pairs(extra)].join(' '))
}

function timeOf(timestamp: unknown): string {
  const date = new Date(Number(timestamp) * 1_000)
  const two = (value: number): string => String(value).padStart(2, '0')
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')
  return `${clock}.${String(date.getMilliseconds()).padStart(3, '0')}`
}

function pairs(fields: unknown): string[] {
  if (!isRecord(fields)) return []
  return Object.entries(fields).map(([key, value]) => `${visible(key)}=${shown(value)}`)
}

function shown(value: unknown): string {
  if (typeof value === 'string' && /^[^\s"=]+$/.test(value)) return visible(value)
  return visible(JSON.stringify(value))
}
