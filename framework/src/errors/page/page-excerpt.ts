import { maskSource } from '../../base/mask-text.ts'
import { lineTokens } from '../highlight/line-tokens.ts'
import { TokenKinds } from '../highlight/token.ts'
import type { PageView } from './page-view.ts'
import { html } from '../reports/page-text.ts'
import { maxPreviewLength } from '../reports/preview.ts'
import type { Frame } from '../stack/frames.ts'
import { EXCERPT_MARGIN } from '../stack/source-file.ts'

const cache = new WeakMap<readonly string[], Map<number, string>>()

const maxLines = 6
const maxCharacters = 400

const before = /(?:#?[\w$]+\??\.)*#?$/
const callee = /(?:(?:new|await|throw)\s+)*#?[\w$]+(?:\??\.#?[\w$]+)*/y

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

/**
 * The call or property access at a source position, in one line of at most 80 characters. Arguments
 * are shown as written in the source, since V8 keeps no values. Empty when there is no such code.
 */
export function callExpression(lines: readonly string[], line: number, column: number): string {
  const text = lines[line - 1]
  if (text === undefined || column < 1 || column > text.length) return ''
  const at = column - 1
  const head = text.slice(Math.max(0, at - maxCharacters), at)
  const following = lines.slice(line, line + maxLines - 1)
  const rest = [text.slice(at), ...following].join('\n').slice(0, maxCharacters)
  callee.lastIndex = 0
  const named = callee.exec(rest)?.[0]
  if (named === undefined) return ''
  const owner = before.exec(head)?.[0] ?? ''
  const whole = owner + named + rest.slice(named.length, endOfArguments(rest, named.length))
  const shown = maskSource(oneLine(whole))
  return shown.length > maxPreviewLength ? `${shown.slice(0, maxPreviewLength - 1)}…` : shown
}

// As written on one line: without the line breaks and the trailing comma of multi-line lists.
function oneLine(text: string): string {
  return text
    .replaceAll(/([([])\s*\n\s*/g, '$1')
    .replaceAll(/,?\s*\n\s*([)\]])/g, '$1')
    .replaceAll(/\s+/g, ' ')
}

/** The end of the parenthesis that opens at `start`; `start` when none opens there. */
function endOfArguments(text: string, start: number): number {
  if (text[start] !== '(') return start
  let depth = 0
  let quote = ''
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (quote !== '') {
      if (character === '\\') at += 1
      else if (character === quote) quote = ''
    } else if (character === '"' || character === "'" || character === '`') quote = character
    else if (character === '(') depth += 1
    else if (character === ')') {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return text.length
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
