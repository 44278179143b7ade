import jsTokens from 'js-tokens'
import { maskSource } from '../../base/mask-text.ts'
import { lineTokens } from '../highlight/line-tokens.ts'
import { TokenKinds } from '../highlight/token.ts'
import { editorLink } from './editor-link.ts'
import { html } from '../reports/page-text.ts'
import { maxPreviewLength } from '../reports/preview.ts'
import { fileLabel, placeLabel } from '../stack/file-label.ts'
import { Origins } from '../stack/frames.ts'
import type { Frame } from '../stack/frames.ts'
import { EXCERPT_MARGIN, sourceLines } from '../stack/source-file.ts'

const cache = new WeakMap<readonly string[], Map<number, string>>()

const maxLines = 6
const maxCharacters = 400

const before = /(?:#?[\w$]+\??\.)*#?$/
const callee = /(?:(?:new|await|throw)\s+)*#?[\w$]+(?:\??\.#?[\w$]+)*/y

// Longer lines are generated code; seventeen of them would bury the page.
const maxReadableLength = 240

/** All lines of a frame's file, or null when there is nothing worth showing. */
export function shownSource({ file, line, origin }: Frame): readonly string[] | null {
  if (origin === Origins.Node || line === 0) return null
  const lines = sourceLines(file)
  if (lines === null || line > lines.length) return null
  if (origin === Origins.Application) return lines
  const around = lines.slice(Math.max(0, line - 1 - EXCERPT_MARGIN), line + EXCERPT_MARGIN)
  return around.every(({ length }) => length <= maxReadableLength) ? lines : null
}

/** The source around a frame under its location, shown while the frame `index` is selected. */
export function excerptPanel(
  frame: Frame,
  index: number,
  lines: readonly string[],
  root: string,
): string {
  const call = callExpression(lines, frame.line, frame.column)
  const shownCall =
    call === '' ? '' : `<span class="expression">evaluates <code>${html(call)}</code></span>`
  return (
    `<figure class="panel p${index}"><figcaption>${placeLink(frame, root)}${shownCall}</figcaption>` +
    `<div class="code" role="group" tabindex="0" ` +
    `aria-label="Source of ${html(fileLabel(frame.file, root))}, line ${frame.line} is marked">` +
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
  let end = start
  let depth = 0
  for (const { type, value } of jsTokens(text.slice(start))) {
    end += value.length
    if (type !== 'Punctuator' || (value !== '(' && value !== ')')) continue
    depth += value === '(' ? 1 : -1
    if (depth === 0) break
  }
  return end
}

/** The location of a frame, as an editor link where possible. */
export function placeLink(frame: Frame, root: string): string {
  const place = html(placeLabel(frame, root))
  const link = frame.line === 0 ? '' : editorLink(frame)
  if (link === '') return `<code class="place">${place}</code>`
  return `<a class="place" href="${html(link)}" title="Open in the editor"><code>${place}</code></a>`
}

/** The source around a line, which is marked. */
export function excerptLines(
  { file, line }: Pick<Frame, 'file' | 'line'>,
  lines: readonly string[],
): string {
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
