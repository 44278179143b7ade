import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
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

const importEach = join(import.meta.dirname, 'import-each.ts')

/**
 * Runs the blocks of a page in one process, one after the other, because loading the framework takes most of
 * the time of a program. If that fails, each runs on its own, which tells whose fault it is. Returns
 * `null`, or what went wrong.
 */
export async function runPage(
  blocks: readonly CodeBlock[],
  limitMs = 120_000,
): Promise<string | null> {
  const together = await run(blocks, limitMs)
  if (together === null || blocks.length === 1) return together
  const alone = await Promise.all(blocks.map((block) => run([block], limitMs)))
  const failures = alone.filter((failure) => failure !== null)
  return failures.length > 0 ? failures.join('\n') : `only together: ${together}`
}

/** Runs blocks for at most `limitMs`, each from a file in a folder of its own. */
async function run(blocks: readonly CodeBlock[], limitMs: number): Promise<string | null> {
  const workshop = await makeWorkshop()
  try {
    const files: string[] = []
    for (const block of blocks) {
      const folder = join(workshop, String(files.length))
      const [name, code] = fileOf(block)
      await mkdir(folder)
      await writeFile(join(folder, name), code)
      files.push(join(folder, name))
    }
    // A program about tests must run on its own, not as part of this test run.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const child = spawn(process.execPath, ['--conditions=source', importEach, ...files], {
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
    return `${blocks.map(({ page, line }) => `${page}:${line}`).join(', ')} failed (${end}):\n${errors}`
  } finally {
    await rm(workshop, { recursive: true, force: true })
  }
}
