import { describe } from './description.ts'
import type { Description } from './description.ts'
import { excerptText } from './excerpt-text.ts'
import { html } from './page-text.ts'
import { shownCalls } from './shown-calls.ts'
import type { ShownCalls } from './shown-calls.ts'
import { chainTitles, Relations } from '../stack/error-chain.ts'
import { fileLabel } from '../stack/file-label.ts'
import { nearestLocation } from '../stack/frames.ts'
import type { Frame } from '../stack/frames.ts'

/**
 * An error and its causes as an HTML fragment without scripts, styles and external assets,
 * everything escaped. File paths are relative to the working directory. Verbosity 1 is class and
 * message; 2 adds location, source and properties; 3 and above the backtrace.
 */
export function htmlReport(error: Error, verbosity: number): string {
  const root = process.cwd()
  let parts = ''
  for (const description of describe(error)) parts += errorPart(description, root, verbosity)
  return `<article class="framework-error">${parts}</article>`
}

function errorPart(description: Description, root: string, verbosity: number): string {
  const { relation, class: name, message, frames } = description
  const intro = relation === Relations.Thrown ? '' : `${chainTitles[relation]} `
  const place = nearestLocation(frames)
  return (
    `<section><h2>${intro}${html(name)}</h2><p>${html(message).replaceAll('\n', '<br>')}</p>` +
    (verbosity < 2 ? '' : detailsOf(description, place, root)) +
    traceOf(shownCalls(frames, place, verbosity), root) +
    `</section>`
  )
}

function detailsOf({ properties, frames }: Description, place: Frame | null, root: string): string {
  const excerpt = excerptText(frames)
  const listed = properties
    .map((property) => `<dt>${html(property.name)}</dt><dd>${html(property.preview)}</dd>`)
    .join('')
  return (
    (place === null ? '' : `<p><code>${placeText(place, root)}</code></p>`) +
    (excerpt === '' ? '' : `<pre><code>${markedLines(excerpt)}</code></pre>`) +
    (listed === '' ? '' : `<dl>${listed}</dl>`)
  )
}

function traceOf({ calls, left }: ShownCalls, root: string): string {
  if (calls.length === 0) return ''
  const items = calls.map((frame) => `<li><code>${frameText(frame, root)}</code></li>`).join('')
  return `<ol>${items}</ol>` + (left === 0 ? '' : `<p>+${left} trace calls…</p>`)
}

function markedLines(excerpt: string): string {
  return html(excerpt).replace(/^&gt;.*$/m, '<mark>$&</mark>')
}

function frameText(frame: Frame, root: string): string {
  const where = placeText(frame, root)
  return frame.call === '' ? where : `${html(frame.call)} (${where})`
}

function placeText({ file, line, column }: Frame, root: string): string {
  return html(line === 0 ? file : `${fileLabel(file, root)}:${line}:${column}`)
}
