import { maskSource } from '../../base/mask-text.ts'
import { maxPreviewLength } from './preview.ts'

const maxLines = 6
const maxCharacters = 400

const before = /(?:#?[\w$]+\??\.)*#?$/
const callee = /(?:(?:new|await|throw)\s+)*#?[\w$]+(?:\??\.#?[\w$]+)*/y

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
