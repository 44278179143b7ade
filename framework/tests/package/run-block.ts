import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { CodeBlock } from './code-blocks.ts'

/** A folder inside the package, where `framework/…` resolves to the package itself. */
export async function makeWorkshop(): Promise<string> {
  return mkdtemp(join(import.meta.dirname, '..', '.tmp-'))
}

/** The name of a block as a file, and its text, which has the line numbers of its page. */
export function fileOf({ page, line, code }: CodeBlock): readonly [name: string, text: string] {
  return [`${page.replaceAll(/[^\w]/g, '-')}-${line}.ts`, '\n'.repeat(line - 1) + code]
}

/** Runs a block as a program for at most two minutes. Returns `null`, or what went wrong. */
export async function runBlock(block: CodeBlock, limitMs = 120_000): Promise<string | null> {
  const workshop = await makeWorkshop()
  try {
    const [name, code] = fileOf(block)
    const file = join(workshop, name)
    await writeFile(file, code)
    // A program about tests must run on its own, not as part of this test run.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const child = spawn(process.execPath, ['--conditions=source', file], {
      cwd: workshop,
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: limitMs,
      killSignal: 'SIGKILL',
    })
    const [errors] = await Promise.all([text(child.stderr), once(child, 'exit')])
    if (child.exitCode === 0) return null
    const end =
      child.signalCode === null ? `status ${child.exitCode}` : `no end in ${limitMs / 1000} s`
    return `${block.page}:${block.line} failed (${end}):\n${errors}`
  } finally {
    await rm(workshop, { recursive: true, force: true })
  }
}
