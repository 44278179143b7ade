import { callExpression } from '../reports/call-expression.ts'
import type { Frame } from '../stack/frames.ts'
import { lineTokens } from '../highlight/line-tokens.ts'
import { TokenKinds } from '../highlight/token.ts'
import { html } from '../reports/page-text.ts'
import type { PageView } from './page-view.ts'
import { EXCERPT_MARGIN } from '../stack/source-file.ts'

const cache = new WeakMap<readonly string[], Map<number, string>>()

/** The source around a frame under its location, shown while the frame `index` is selected. */
export function excerptPanel(
  frame: Frame,
  index: number,
  lines: readonly string[],
  view: PageView,
): string {
  const call = callExpression(lines, frame.line, frame.column)
  const shownCall =
    call === '' ? '' : `<span class="expression">evaluates <code>${html(call)}</code></span>`
  return (
    `<figure class="panel p${index}"><figcaption>${placeLink(frame, view)}${shownCall}</figcaption>` +
    `<div class="code" role="group" tabindex="0" ` +
    `aria-label="Source of ${html(view.label(frame))}, line ${frame.line} is marked">` +
    `<pre><code>${excerptLines(frame, lines)}</code></pre></div></figure>`
  )
}

/** The location of a frame, as an editor link where possible. */
export function placeLink(frame: Frame, view: PageView): string {
  const place = html(view.place(frame))
  const link = view.link(frame)
  if (link === '') return `<code class="place">${place}</code>`
  return `<a class="place" href="${html(link)}" title="Open in the editor"><code>${place}</code></a>`
}

function excerptLines({ file, line }: Frame, lines: readonly string[]): string {
  let excerpts = cache.get(lines)
  if (excerpts === undefined) cache.set(lines, (excerpts = new Map()))
  const known = excerpts.get(line)
  if (known !== undefined) return known
  const first = Math.max(1, line - EXCERPT_MARGIN)
  const last = Math.min(lines.length, line + EXCERPT_MARGIN)
  let text = ''
  for (let number = first; number <= last; number += 1) {
    const tag = number === line ? 'mark' : 'span'
    text += `<${tag} class="l" data-n="${number}">${lineHtml(lines, number, file)}\n</${tag}>`
  }
  excerpts.set(line, text)
  return text
}

function lineHtml(lines: readonly string[], number: number, file: string): string {
  let text = ''
  for (const token of lineTokens(lines, number, file)) {
    const shown = html(token.text)
    text +=
      token.kind === TokenKinds.Plain ? shown : `<span class="t-${token.kind}">${shown}</span>`
  }
  return text
}
