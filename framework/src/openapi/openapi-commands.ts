import { readFile, writeFile } from 'node:fs/promises'
import { hasCode } from '../base/errors.ts'
import { ExitStatus } from '../base/terminal/terminal.ts'
import type { Terminal } from '../base/terminal/terminal.ts'
import type { Server } from '../http/server/server.ts'
import { openApiDocument, projectInfo } from './open-api-document.ts'

/** What `framework openapi` describes, and what it does with it. */
export interface OpenApiCommandOptions {
  readonly server: Server
  /** Folder of the project. */
  readonly root: string
  /** Name of the project. */
  readonly name: string
  /** File to write. */
  readonly out: string | undefined
  /** File to compare with. */
  readonly check: string | undefined
}

/** Prints the OpenAPI document of a project, writes it to a file, or compares it with one. */
export async function openApiCommand(
  { server, root, name, out, check }: OpenApiCommandOptions,
  terminal: Terminal,
): Promise<ExitStatus> {
  const { document, notes } = await openApiDocument(server, await projectInfo(root, name))
  for (const note of notes) terminal.err(`note: ${note}\n`)
  const text = `${JSON.stringify(document, null, 2)}\n`
  if (check !== undefined) {
    if ((await readText(check)) === text) return ExitStatus.Ok
    const { red } = terminal.errorPaint
    terminal.err(`${red('error')}: ${check} is not current; run framework openapi --out ${check}\n`)
    return ExitStatus.UserError
  }
  if (out === undefined) terminal.out(text)
  else await writeFile(out, text)
  return ExitStatus.Ok
}

async function readText(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
}
