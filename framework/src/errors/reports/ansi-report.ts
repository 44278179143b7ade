import { printable } from '../../base/encoding/printable.ts'
import { maskText } from '../../base/mask-text.ts'
import { ansiExcerpt } from './ansi-excerpt.ts'
import { reportPaints } from './ansi-paints.ts'
import type { ReportPaints } from './ansi-paints.ts'
import { describe } from './description.ts'
import type { Description } from './description.ts'
import { shownCalls } from './shown-calls.ts'
import type { ShownCalls } from './shown-calls.ts'
import { chainTitles } from '../stack/error-chain.ts'
import { fileLabel } from '../stack/file-label.ts'
import { Origins, nearestLocation } from '../stack/frames.ts'
import type { Frame } from '../stack/frames.ts'

/** How an error is shown on a terminal. */
export interface AnsiReportOptions {
  /** 1: class and message; 2: also location and source; 3 and above: also the backtrace. */
  readonly verbosity: number
  readonly colored: boolean
}

/** An error and its causes as text. Nothing in it can control the terminal; secrets are redacted. */
export function ansiReport(error: Error, { verbosity, colored }: AnsiReportOptions): string {
  const paints = reportPaints(colored)
  const [outer, ...others] = describe(error)
  if (outer === undefined) return ''
  const lines = [headline(outer, paints)]
  const place = nearestLocation(outer.frames)
  if (verbosity >= 2) lines.push(...detailsOf(outer, place, paints))
  lines.push(...traceOf(shownCalls(outer.frames, place, verbosity), paints))
  for (const other of others) {
    const title = paints.strong(chainTitles[other.relation])
    if (verbosity >= 2) lines.push('')
    lines.push(`${title} ${headline(other, paints)}`)
    if (verbosity >= 2) lines.push(...placeLine(nearestLocation(other.frames), paints))
  }
  return `${lines.join('\n')}\n`
}

function headline({ class: name, message }: Description, { error, strong }: ReportPaints): string {
  if (message === '') return error(printable(name))
  // Lines of a message are indented, so that they cannot pass for lines of the report.
  const text = printable(message).replaceAll('\n', '\n  ')
  return `${error(`${printable(name)}:`)} ${strong(text)}`
}

function detailsOf(
  { properties }: Description,
  place: Frame | null,
  paints: ReportPaints,
): string[] {
  const excerpt = place === null ? [] : ansiExcerpt(place, paints)
  const listed = properties.map(
    ({ name, preview }) => `  ${paints.faint(`${printable(name)}:`)} ${printable(preview)}`,
  )
  return [
    ...placeLine(place, paints),
    ...(excerpt.length > 0 ? ['', ...excerpt] : []),
    ...(listed.length > 0 ? ['', ...listed] : []),
  ]
}

function traceOf({ calls, left }: ShownCalls, paints: ReportPaints): string[] {
  if (calls.length === 0) return []
  return [
    '',
    ...calls.map((frame) => frameLine(frame, paints)),
    ...(left > 0 ? [paints.faint(`    +${left} trace calls…`)] : []),
  ]
}

function placeLine(place: Frame | null, paints: ReportPaints): string[] {
  return place === null ? [] : [frameLine(place, paints)]
}

function frameLine({ call, file, line, column, origin }: Frame, paints: ReportPaints): string {
  const { faint, place } = paints
  // A stack can come from elsewhere and contain URLs.
  const where = printable(maskText(`${shown(file)}${line > 0 ? `:${line}:${column}` : ''}`))
  const caller = printable(maskText(call))
  if (origin !== Origins.Application) {
    return faint(caller === '' ? `    at ${where}` : `    at ${caller} (${where})`)
  }
  const at = faint('    at ')
  return caller === '' ? at + place(where) : `${at}${caller} (${place(where)})`
}

function shown(file: string): string {
  try {
    return fileLabel(file, process.cwd())
  } catch {
    // The working directory was deleted.
    return file
  }
}
