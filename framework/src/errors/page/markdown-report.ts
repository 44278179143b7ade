import { maskSource } from '../../base/mask-text.ts'
import type { Section } from './page-context.ts'
import type { Description } from '../reports/description.ts'
import { visible } from '../reports/page-text.ts'
import { chainTitles, Relations } from '../stack/error-chain.ts'
import { placeLabel } from '../stack/file-label.ts'
import { Origins } from '../stack/frames.ts'
import type { Frame } from '../stack/frames.ts'
import { excerptOf } from '../stack/source-file.ts'

/** Options of a Markdown report. */
export interface MarkdownOptions {
  /** Folder that file paths are shown relative to. */
  readonly root: string
  /** Id of the request that failed; empty when there was none. */
  readonly request: string
}

/** An error and its context as Markdown, to paste into an issue or a chat. */
export function markdownReport(
  descriptions: readonly Description[],
  sections: readonly Section[],
  { root, request }: MarkdownOptions,
): string {
  const parts = descriptions.flatMap((description) => errorParts(description, root))
  if (sections.length > 0) parts.push('## Context', ...sections.flatMap(sectionParts))
  if (request !== '') parts.push(`Request ${code(request)}`)
  return `${parts.join('\n\n')}\n`
}

function errorParts(description: Description, root: string): string[] {
  const { relation, message, properties, frames } = description
  const name = code(description.class)
  const title = relation === Relations.Thrown ? `# ${name}` : `## ${chainTitles[relation]} ${name}`
  const excerpt = excerptText(frames)
  const listed = properties.map((property) => `${property.name}: ${property.preview}`)
  return [
    title,
    ...(message === '' ? [] : [fenced(message)]),
    ...(excerpt === '' ? [] : [fenced(excerpt)]),
    ...(listed.length === 0 ? [] : [fenced(listed.join('\n'))]),
    ...(frames.length === 0 ? [] : [fenced(frames.map((at) => frameLine(at, root)).join('\n'))]),
  ]
}

/**
 * The source around the first application frame, else the first vendor frame, as plain text with
 * line numbers and a `>` at the failing line; empty when there is none.
 */
function excerptText(frames: readonly Frame[]): string {
  const own = frames.find(({ origin, line }) => origin === Origins.Application && line > 0)
  const frame = own ?? frames.find(({ origin }) => origin === Origins.Vendor)
  const excerpt = frame === undefined ? null : excerptOf(frame.file, frame.line)
  if (excerpt === null) return ''
  const width = String(excerpt.first + excerpt.lines.length - 1).length
  let text = ''
  for (const [at, line] of excerpt.lines.entries()) {
    const number = excerpt.first + at
    const sign = number === excerpt.marked ? '>' : ' '
    text +=
      `${sign} ${String(number).padStart(width)} | ${visible(maskSource(line))}`.trimEnd() + '\n'
  }
  return text
}

function sectionParts({ title, rows }: Section): string[] {
  const lines = rows.map(({ name, value }) => `${name}: ${value}`)
  return [`### ${code(title)}`, rows.length === 0 ? 'empty' : fenced(lines.join('\n'))]
}

function frameLine(frame: Frame, root: string): string {
  const place = placeLabel(frame, root)
  return frame.call === '' ? `at ${place}` : `at ${frame.call} (${place})`
}

// A fence is longer than any run of backticks inside, so nothing inside can close it.
function fenced(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return `${fence}text\n${visible(text).trimEnd()}\n${fence}`
}

function code(text: string): string {
  const line = visible(text).replaceAll(/\s+/g, ' ')
  const ticks = '`'.repeat(longestRun(line) + 1)
  return ticks.length === 1 ? `${ticks}${line}${ticks}` : `${ticks} ${line} ${ticks}`
}

function longestRun(text: string): number {
  let longest = 0
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  return longest
}
