import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OpenApiInfo } from './open-api-document.ts'

/** What the API of a project is called: its name, with version and description of its `package.json`. */
export async function projectInfo(root: string, title: string): Promise<OpenApiInfo> {
  const { version, description } = await manifestOf(root)
  return {
    title,
    version: typeof version === 'string' ? version : '0.0.0',
    ...(typeof description === 'string' && { description }),
  }
}

// A project may be without one, or somebody is just writing it.
async function manifestOf(root: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const manifest: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    return typeof manifest === 'object' && manifest !== null ? { ...manifest } : {}
  } catch {
    return {}
  }
}
