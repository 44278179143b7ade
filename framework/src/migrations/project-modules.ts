import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { hasCode, FrameworkError } from '../base/errors.ts'
import { toError } from '../base/to-error.ts'
import { isRecord } from '../base/is-record.ts'
import { Entity } from '../orm/entity/entity.ts'
import type { AnyEntity } from '../orm/entity/entity.ts'

/** A module of a folder; its name has no extension. */
export interface ModuleFile {
  readonly name: string
  readonly path: string
}

/**
 * The TypeScript and JavaScript modules of a folder by name, or null if the folder does not exist.
 * If a module exists in both forms, the TypeScript one counts.
 */
export async function listModules(folder: string): Promise<readonly ModuleFile[] | null> {
  const entries = await readFolder(folder)
  if (entries === null) return null
  const files = new Map<string, string>()
  // TypeScript sorts last and so wins.
  for (const file of entries.toSorted()) {
    const [, name] = /^([^.].*)\.(?:js|ts)$/.exec(file) ?? []
    if (name !== undefined && !name.endsWith('.d')) files.set(name, join(folder, file))
  }
  return [...files].map(([name, path]) => ({ name, path })).toSorted(byName)
}

/** Loads a module and returns its exports. */
export async function loadModule({ path }: ModuleFile): Promise<Readonly<Record<string, unknown>>> {
  const module: unknown = await import(pathToFileURL(path).href)
  return isRecord(module) ? module : {}
}

/**
 * The entities that the modules of a folder export, by module and name.
 * @throws FrameworkError when the folder does not exist, a module cannot be loaded, or there is no
 * entity.
 */
export async function projectEntities(folder: string): Promise<readonly AnyEntity[]> {
  const modules = await listModules(folder)
  if (modules === null) {
    throw new FrameworkError(
      'E_ENTITY',
      `there is no folder ${folder}; put the entities of the project there, or name their folder with --entities`,
    )
  }
  const found = new Set<AnyEntity>()
  for (const file of modules) {
    const exported = await loadModule(file).catch((thrown: unknown) => {
      const error = toError(thrown)
      throw new FrameworkError('E_ENTITY', `${file.path} cannot be loaded: ${error.message}`, {
        cause: error,
      })
    })
    for (const value of Object.values(exported)) if (value instanceof Entity) found.add(value)
  }
  if (found.size > 0) return [...found]
  throw new FrameworkError(
    'E_ENTITY',
    `no module in ${folder} exports an entity; write export const Posts = entity('posts', { … })`,
  )
}

/** Orders by name, independent of the locale. */
export function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  if (one.name === other.name) return 0
  return one.name < other.name ? -1 : 1
}

async function readFolder(folder: string): Promise<string[] | null> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return null
    throw error
  }
}
