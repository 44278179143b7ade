import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ConfigurationError } from '../../base/errors.ts'
import { isRecord } from '../../base/is-record.ts'
import type { Project } from '../project.ts'

const names = ['project.ts', 'project.js']

/** Whether a folder has a project. */
export function hasProject(root: string): boolean {
  return names.some((name) => existsSync(join(resolve(root), name)))
}

/**
 * Imports the project of a folder: the default export of its `project.ts` or `project.js`.
 * @throws ConfigurationError if there is none, or it was not created by defineProject().
 */
export async function loadProject(root: string): Promise<Project> {
  const folder = resolve(root)
  const file = names.map((name) => join(folder, name)).find((path) => existsSync(path))
  if (file === undefined) {
    throw new ConfigurationError(
      'E_PROJECT_MISSING',
      `there is no project in ${folder}: looked for ${names.join(' and ')}; ` +
        'create one with `framework new <folder>`, or pass its folder with --project',
    )
  }
  const module: unknown = await import(pathToFileURL(file).href)
  const exported = isRecord(module) ? module['default'] : undefined
  if (isProject(exported)) return exported
  throw new ConfigurationError(
    'E_PROJECT',
    `${file} must have \`export default defineProject({ … })\`, ` +
      `but its default export is ${describe(exported)}`,
  )
}

// By its shape: the project may use another copy of the framework.
function isProject(value: unknown): value is Project {
  return (
    isRecord(value) &&
    typeof value['name'] === 'string' &&
    typeof value['install'] === 'function' &&
    isRecord(value['configs'])
  )
}

function describe(value: unknown): string {
  if (value === undefined) return 'missing'
  if (isRecord(value) && 'routes' in value)
    return 'a definition that was not passed to defineProject()'
  return value === null ? 'null' : `of type ${typeof value}`
}
