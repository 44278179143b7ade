import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { hasCode } from '../../base/files/has-code.ts'

/** A module of a folder, under its name without ending. */
export interface ModuleFile {
  readonly name: string
  readonly path: string
}

/**
 * The TypeScript and JavaScript modules of a folder by name, or null when there is no such folder. A
 * module that stands there in both forms counts once, as TypeScript.
 */
export async function listModules(folder: string): Promise<readonly ModuleFile[] | null> {
  const entries = await readFolder(folder)
  if (entries === null) return null
  const files = new Map<string, string>()
  // TypeScript comes last in this order, so that it wins.
  for (const file of entries.toSorted()) {
    const [, name] = /^([^.].*)\.(?:js|ts)$/.exec(file) ?? []
    if (name !== undefined && !name.endsWith('.d')) files.set(name, join(folder, file))
  }
  return [...files].map(([name, path]) => ({ name, path })).toSorted(byName)
}

/** Loads a module and gives what it exports. */
export async function loadModule({ path }: ModuleFile): Promise<Readonly<Record<string, unknown>>> {
  const module: unknown = await import(pathToFileURL(path).href)
  return isRecord(module) ? module : {}
}

/** Orders by name, sign by sign, whatever the language of the machine. */
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

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
