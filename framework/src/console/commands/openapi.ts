import { readFile, writeFile } from 'node:fs/promises'
import type { Environments } from '../../settings/environments.ts'
import { hasCode } from '../../base/files/has-code.ts'
import { enterEnvironment } from '../enter-environment.ts'
import { ExitStatus } from '../../base/terminal/exit-status.ts'
import type { Terminal } from '../../base/terminal/terminal.ts'

/** Options of `framework openapi`. */
export interface OpenApiFlags {
  readonly project: string
  readonly environment?: Environments
  readonly out?: string
  readonly check?: string
}

/** Prints the OpenAPI document of a project, writes it to a file, or compares it with one. */
export async function openapi(flags: OpenApiFlags, terminal: Terminal): Promise<ExitStatus> {
  const { out, check } = flags
  const text = await documentText(flags, terminal)
  if (check !== undefined) {
    if ((await textOf(check)) === text) return ExitStatus.Ok
    const { red } = terminal.errorPaint
    terminal.err(`${red('error')}: ${check} is not current; run framework openapi --out ${check}\n`)
    return ExitStatus.UserError
  }
  if (out === undefined) terminal.out(text)
  else await writeFile(out, text)
  return ExitStatus.Ok
}

async function documentText(flags: OpenApiFlags, terminal: Terminal): Promise<string> {
  const { project: root } = flags
  const { environment } = enterEnvironment(root, flags.environment)
  const { assembleProject } = await import('../../project/assemble-project.ts')
  const { openApiDocument } = await import('../../openapi/open-api-document.ts')
  const { projectInfo } = await import('../../openapi/open-api-document.ts')
  const { server, project } = await assembleProject({ root, environment, workers: 1 })
  try {
    const info = await projectInfo(root, project.name)
    const { document, notes } = await openApiDocument(server, info)
    for (const note of notes) terminal.err(`note: ${note}\n`)
    return `${JSON.stringify(document, null, 2)}\n`
  } finally {
    await server.close()
  }
}

async function textOf(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
}
