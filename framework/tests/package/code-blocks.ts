import { globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'

/** A fenced block of TypeScript in a page; `line` is where its code starts. */
export interface CodeBlock {
  readonly page: string
  readonly line: number
  /** What follows the language on the fence: `run` when the block is a whole program. */
  readonly label: string
  readonly code: string
}

/** The TypeScript blocks of `README.md` and of everything below `docs`, in the given folder. */
export function codeBlocks(folder: string): CodeBlock[] {
  const pages = globSync(['README.md', 'docs/**/*.md'], { cwd: folder }).toSorted()
  return pages.flatMap((page) => readBlocks(page, readFileSync(join(folder, page), 'utf8')))
}

/** Why a block is no good to a reader who copies it, or `null`: it must at least parse. */
export function objection({ page, line, label, code }: CodeBlock): string | null {
  if (label !== '' && label !== 'run') return `${page}:${line} is labelled ${label}, not run`
  try {
    stripTypeScriptTypes(code)
    return null
  } catch (error) {
    return `${page}:${line} does not parse: ${firstLine(String(error))}`
  }
}

function readBlocks(page: string, markdown: string): CodeBlock[] {
  const blocks: CodeBlock[] = []
  let fence = ''
  let indent = 0
  let block: { line: number; label: string; lines: string[] } | null = null
  for (const [index, text] of markdown.split('\n').entries()) {
    const [, space = '', ticks = '', info = ''] = /^( *)(`{3,}|~{3,})(.*)$/.exec(text) ?? []
    if (fence === '' && ticks !== '') {
      fence = ticks
      indent = space.length
      const [, label] = /^(?:ts|typescript)\b(.*)$/.exec(info.trim()) ?? []
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
