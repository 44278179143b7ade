import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { installDebianPackage } from './debian-package.ts'

/** A program, or why there is none. */
export interface FoundProgram {
  readonly program: string | null
  readonly reason: string
}

/**
 * A program of Prometheus: the one an environment variable names, else one on the PATH, else the one
 * of the system's packages, which is installed if that can be done.
 */
export function findProgram(name: 'promtool' | 'prometheus', variable: string): FoundProgram {
  const given = process.env[variable]
  if (given !== undefined && given !== '') {
    return existsSync(given)
      ? { program: given, reason: '' }
      : { program: null, reason: `there is no ${name} at ${variable}, ${given}` }
  }
  const found = onPath(name)
  if (found !== null) return { program: found, reason: '' }
  const failure = installDebianPackage('prometheus') ?? 'the package brought no program'
  return {
    program: onPath(name),
    reason: `needs ${name}: set ${variable} or install prometheus (${failure})`,
  }
}

function onPath(name: string): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin']
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file)) ?? null
}
