import { printable } from '../../base/encoding/printable.ts'
import { maskText } from '../../base/mask-text.ts'
import { paints as paintsFor } from '../../base/terminal/paints.ts'
import type { Paints } from '../../base/terminal/paints.ts'
import { ansiExcerpt } from './ansi-excerpt.ts'
import { describe } from './description.ts'
import type { Description } from './description.ts'
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
  const paints = paintsFor(colored)
  const [outer, ...others] = describe(error)
  if (outer === undefined) return ''
  const lines = [headline(outer, paints)]
  const place = nearestLocation(outer.frames)
  if (verbosity >= 2) lines.push(...detailsOf(outer, place, paints))
  if (verbosity >= 3) lines.push(...traceOf(outer.frames, place, verbosity, paints))
  for (const other of others) {
    const title = paints.bold(chainTitles[other.relation])
    if (verbosity >= 2) lines.push('')
    lines.push(`${title} ${headline(other, paints)}`)
    if (verbosity >= 2) lines.push(...placeLine(nearestLocation(other.frames), paints))
  }
  return `${lines.join('\n')}\n`
}

function headline({ class: name, message }: Description, { bold, red }: Paints): string {
  if (message === '') return bold(red(printable(name)))
  // Lines of a message are indented, so that they cannot pass for lines of the report.
  const text = printable(message).replaceAll('\n', '\n  ')
  return `${bold(red(`${printable(name)}:`))} ${bold(text)}`
}

function detailsOf({ properties }: Description, place: Frame | null, paints: Paints): string[] {
  const excerpt = place === null ? [] : ansiExcerpt(place, paints)
  const listed = properties.map(
    ({ name, preview }) => `  ${paints.dim(`${printable(name)}:`)} ${printable(preview)}`,
  )
  return [
    ...placeLine(place, paints),
    ...(excerpt.length > 0 ? ['', ...excerpt] : []),
    ...(listed.length > 0 ? ['', ...listed] : []),
  ]
}

/** From this verbosity on nothing is left out. */
const fullTraceVerbosity = 6

/** The calls that led to the throw point, nearest first. */
function traceOf(
  frames: readonly Frame[],
  place: Frame | null,
  verbosity: number,
  paints: Paints,
): string[] {
  const below = place === null ? frames : frames.slice(frames.indexOf(place) + 1)
  if (below.length === 0) return []
  const max = verbosity >= fullTraceVerbosity ? below.length : 3 * (Math.floor(verbosity) - 2)
  return [
    '',
    ...below.slice(0, max).map((frame) => frameLine(frame, paints)),
    ...(below.length > max ? [paints.dim(`    +${below.length - max} trace calls…`)] : []),
  ]
}

function placeLine(place: Frame | null, paints: Paints): string[] {
  return place === null ? [] : [frameLine(place, paints)]
}

function frameLine({ call, file, line, column, origin }: Frame, paints: Paints): string {
  const { dim, cyan } = paints
  // A stack can come from elsewhere and contain URLs.
  const where = printable(maskText(`${shown(file)}${line > 0 ? `:${line}:${column}` : ''}`))
  const caller = printable(maskText(call))
  if (origin !== Origins.Application) {
    return dim(caller === '' ? `    at ${where}` : `    at ${caller} (${where})`)
  }
  const at = dim('    at ')
  return caller === '' ? at + cyan(where) : `${at}${caller} (${cyan(where)})`
}

function shown(file: string): string {
  try {
    return fileLabel(file, process.cwd())
  } catch {
    // The working directory was deleted.
    return file
  }
}
