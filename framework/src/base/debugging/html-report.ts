import { chainTitles } from './chain-titles.ts'
import { describe } from './description.ts'
import type { Description } from './description.ts'
import { Relations } from './error-chain.ts'
import { excerptText } from './excerpt-text.ts'
import { fileLabel } from './file-label.ts'
import type { Frame } from './frames.ts'
import { html } from './page-text.ts'

/**
 * An error and those it carries as a piece of HTML for any page: no script, no style, nothing
 * loaded, everything escaped. Files are named from the working folder.
 */
export function htmlReport(error: Error): string {
  const root = process.cwd()
  let parts = ''
  for (const description of describe(error)) parts += errorPart(description, root)
  return `<article class="framework-error">${parts}</article>`
}

function errorPart(description: Description, root: string): string {
  const { relation, class: name, message, properties, frames } = description
  const intro = relation === Relations.Thrown ? '' : `${chainTitles[relation]} `
  const at = frames.find(({ line }) => line > 0)
  const excerpt = excerptText(frames)
  const items = frames.map((frame) => `<li><code>${frameText(frame, root)}</code></li>`).join('')
  const told = properties
    .map((property) => `<dt>${html(property.name)}</dt><dd>${html(property.preview)}</dd>`)
    .join('')
  return (
    `<section><h2>${intro}${html(name)}</h2><p>${html(message).replaceAll('\n', '<br>')}</p>` +
    (at === undefined ? '' : `<p><code>${place(at, root)}</code></p>`) +
    (excerpt === '' ? '' : `<pre><code>${markedLines(excerpt)}</code></pre>`) +
    (told === '' ? '' : `<dl>${told}</dl>`) +
    (items === '' ? '' : `<ol>${items}</ol>`) +
    `</section>`
  )
}

function markedLines(excerpt: string): string {
  return html(excerpt).replace(/^&gt;.*$/m, '<mark>$&</mark>')
}

function frameText(frame: Frame, root: string): string {
  return frame.call === '' ? place(frame, root) : `${html(frame.call)} (${place(frame, root)})`
}

function place({ file, line, column }: Frame, root: string): string {
  return html(line === 0 ? file : `${fileLabel(file, root)}:${line}:${column}`)
}
