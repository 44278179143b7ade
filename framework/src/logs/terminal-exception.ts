import { resolve } from 'node:path'
import { isRecord } from '../base/is-record.ts'
import { paints as paintsFor } from '../base/terminal/paints.ts'
import type { Paints } from '../base/terminal/paints.ts'
import { ansiExcerpt } from '../errors/reports/ansi-excerpt.ts'
import { visible } from './visible.ts'

type Fields = Readonly<Record<string, unknown>>

/** What the report says about where it happened, in this order. */
const labels = ['request', 'route', 'account', 'statement', 'caller', 'trace'] as const

/**
 * A line of the channel `exceptions` as a report: class and message, the source around the place, stack,
 * causes, and what it happened in. Null for other lines.
 */
export function terminalException(
  message: unknown,
  context: unknown,
  colour: boolean,
): string | null {
  if (!isRecord(context) || !Array.isArray(context['stack'])) return null
  const paints = paintsFor(colour)
  // Its report follows on standard error.
  if ('origin' in context) return 'nothing handled this error, which ends the process\n'
  const [first, ...rest] = context['stack'].map(shown)
  const lines = [
    headline(context['class'], message, paints),
    ...framesOf(first === undefined ? [] : [first], paints),
    ...excerptAt(first ?? '', paints),
    ...framesOf(rest, paints),
    ...propertiesOf(context['properties'], paints),
    ...causesOf(context['causes'], paints),
    '',
    ...labels.flatMap((label) => labelled(label, valueOf(label, context), paints)),
  ]
  return `${lines.join('\n')}\n\n`
}

function headline(name: unknown, message: unknown, { bold, red }: Paints): string {
  if (typeof message !== 'string' || message === '') return bold(red(shown(name)))
  // Lines of a message are indented, so that they cannot pass for lines of the report.
  const text = message.split('\n').map(shown).join('\n  ')
  return `${bold(red(`${shown(name)}:`))} ${bold(text)}`
}

/** The source around a frame such as `save (orders.ts:12:5)`; nothing if it cannot be read. */
function excerptAt(frame: string, paints: Paints): string[] {
  const [, file = '', line = '0'] = /([^()]+):(\d+):\d+\)?$/.exec(frame) ?? []
  const excerpt = ansiExcerpt({ file: resolve(file), line: Number(line) }, paints)
  return excerpt.length === 0 ? [] : ['', ...excerpt, '']
}

function framesOf(frames: unknown, { dim, cyan }: Paints): string[] {
  if (!Array.isArray(frames)) return []
  return frames.map((frame) => {
    const text = shown(frame)
    const isForeign = /node_modules[\\/]|\(?node:/.test(text)
    return `${dim('    at ')}${isForeign ? dim(text) : cyan(text)}`
  })
}

function propertiesOf(properties: unknown, { dim }: Paints): string[] {
  if (!isRecord(properties)) return []
  return Object.entries(properties).map(
    ([name, preview]) => `  ${dim(`${shown(name)}:`)} ${shown(preview)}`,
  )
}

function causesOf(causes: unknown, paints: Paints): string[] {
  if (!Array.isArray(causes)) return []
  const lines: string[] = []
  for (const cause of causes.filter(isRecord)) {
    const title = headline(cause['class'], cause['message'], paints)
    lines.push('', `${paints.bold('Caused by')} ${title}`, ...framesOf(cause['stack'], paints))
  }
  return lines
}

function valueOf(label: (typeof labels)[number], context: Fields): string {
  const { method, URI, durationMs } = context
  const value = shown(context[label] ?? '')
  if (value === '') return ''
  if (label === 'request' && typeof URI === 'string') {
    return `${shown(method)} ${shown(URI)} (${value})`
  }
  return label === 'statement' ? `${value} (${shown(durationMs)} ms)` : value
}

function labelled(label: string, value: string, { dim }: Paints): string[] {
  return value === '' ? [] : [`  ${dim(label.padEnd(10))} ${value}`]
}

/** On one line. */
function shown(value: unknown): string {
  return visible(typeof value === 'string' ? value : JSON.stringify(value ?? ''))
}
