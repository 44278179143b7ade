import { resolve } from 'node:path'
import { isRecord } from '../base/is-record.ts'
import { ansiExcerpt } from '../errors/reports/ansi-excerpt.ts'
import { reportPaints } from '../errors/reports/ansi-paints.ts'
import type { ReportPaints } from '../errors/reports/ansi-paints.ts'
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
  const paints = reportPaints(colour)
  // It ends the process, and its report follows on standard error.
  if ('origin' in context) return `${headline(context['class'], message, paints)}\n`
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

function headline(name: unknown, message: unknown, { error, strong }: ReportPaints): string {
  if (typeof message !== 'string' || message === '') return error(shown(name))
  // Lines of a message are indented, so that they cannot pass for lines of the report.
  const text = message.split('\n').map(shown).join('\n  ')
  return `${error(`${shown(name)}:`)} ${strong(text)}`
}

/** The source around a frame such as `save (orders.ts:12:5)`; nothing if it cannot be read. */
function excerptAt(frame: string, paints: ReportPaints): string[] {
  const [, file = '', line = '0'] = /([^()]+):(\d+):\d+\)?$/.exec(frame) ?? []
  const excerpt = ansiExcerpt({ file: resolve(file), line: Number(line) }, paints)
  return excerpt.length === 0 ? [] : ['', ...excerpt, '']
}

function framesOf(frames: unknown, { faint, place }: ReportPaints): string[] {
  if (!Array.isArray(frames)) return []
  return frames.map((frame) => {
    const text = shown(frame)
    const isForeign = /node_modules[\\/]|\(?node:/.test(text)
    return `${faint('    at ')}${isForeign ? faint(text) : place(text)}`
  })
}

function propertiesOf(properties: unknown, { faint }: ReportPaints): string[] {
  if (!isRecord(properties)) return []
  return Object.entries(properties).map(
    ([name, preview]) => `  ${faint(`${shown(name)}:`)} ${shown(preview)}`,
  )
}

function causesOf(causes: unknown, paints: ReportPaints): string[] {
  if (!Array.isArray(causes)) return []
  const lines: string[] = []
  for (const cause of causes.filter(isRecord)) {
    const title = headline(cause['class'], cause['message'], paints)
    lines.push('', `${paints.strong('Caused by')} ${title}`, ...framesOf(cause['stack'], paints))
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

function labelled(label: string, value: string, { faint }: ReportPaints): string[] {
  return value === '' ? [] : [`  ${faint(label.padEnd(10))} ${value}`]
}

/** On one line. */
function shown(value: unknown): string {
  return visible(typeof value === 'string' ? value : JSON.stringify(value ?? ''))
}
