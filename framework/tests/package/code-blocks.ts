import { globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'

/** A fenced block of code in a page; `line` is where its code starts. */
export interface CodeBlock {
  readonly page: string
  readonly line: number
  /** What follows the language on the fence: `run` when a test runs the block as it stands. */
  readonly label: string
  readonly code: string
}

/** The TypeScript blocks of `README.md` and all pages below `docs` in the given folder. */
export function codeBlocks(folder: string): CodeBlock[] {
  return blocksIn(folder, /^(?:ts|typescript)\b(.*)$/)
}

/** The shell blocks of the same pages, and of others if named. */
export function shellBlocks(folder: string, others: readonly string[] = []): CodeBlock[] {
  return blocksIn(folder, /^(?:sh|bash)\b(.*)$/, others)
}

/** Why a block would not work when copied, or `null`: it must at least parse. */
export function objection({ page, line, label, code }: CodeBlock): string | null {
  if (label !== '' && label !== 'run') return `${page}:${line} is labelled ${label}, not run`
  try {
    stripTypeScriptTypes(code)
    return null
  } catch (error) {
    return `${page}:${line} does not parse: ${firstLine(String(error))}`
  }
}

function blocksIn(folder: string, fence: RegExp, others: readonly string[] = []): CodeBlock[] {
  const pages = globSync(['README.md', 'docs/**/*.md', ...others], { cwd: folder }).toSorted()
  return pages.flatMap((page) => readBlocks(page, readFileSync(join(folder, page), 'utf8'), fence))
}

/** The blocks whose fence matches; the first group is the label after the language. */
function readBlocks(page: string, markdown: string, opens: RegExp): CodeBlock[] {
  const blocks: CodeBlock[] = []
  let fence = ''
  let indent = 0
  let block: { line: number; label: string; lines: string[] } | null = null
  for (const [index, text] of markdown.split('\n').entries()) {
    const [, space = '', ticks = '', info = ''] = /^( *)(`{3,}|~{3,})(.*)$/.exec(text) ?? []
    if (fence === '' && ticks !== '') {
      fence = ticks
      indent = space.length
      const [, label] = opens.exec(info.trim()) ?? []
      block = label === undefined ? null : { line: index + 2, label: label.trim(), lines: [] }
    } else if (fence !== '' && ticks.startsWith(fence) && info.trim() === '') {
      if (block !== null) {
        const { line, label, lines } = block
        blocks.push({ page, line, label, code: lines.join('\n') })
      }
      fence = ''
      block = null
    } else {
      block?.lines.push(text.slice(Math.min(indent, text.length - text.trimStart().length)))
    }
  }
  if (fence !== '') throw new Error(`${page} opens a code block that never ends`)
  return blocks
}

function firstLine(text: string): string {
  return text.split('\n', 1).join('')
}
