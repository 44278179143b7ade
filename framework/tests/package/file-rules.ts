import { globSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const maxLines = 400
const maxSources = 25

/** It has one file for each import path, and the list of those is its table of contents. */
const importPaths = 'public'
const vagueFolders = new Set(['utils', 'util', 'helpers', 'helper', 'common'])
const vagueFiles = new Set([...vagueFolders, 'types', 'index'])

/**
 * Checks the TypeScript files under `folder`: kebab-case names that describe the content, and
 * at most 400 lines.
 */
export function checkFiles(folder: string): string[] {
  const findings: string[] = []
  for (const path of listFiles(folder).filter((file) => file.endsWith('.ts'))) {
    const content = readFileSync(join(folder, path), 'utf8')
    findings.push(...nameObjections(path), ...lengthObjections(path, content))
  }
  return findings
}

/**
 * The folders under `folder` with more than 25 sources, which are hard to navigate, except `public`. Unit
 * tests are not counted.
 */
export function findCrowdedFolders(folder: string): string[] {
  const sources = listFiles(folder).filter((path) => !path.endsWith('.test.ts'))
  const counts = Map.groupBy(sources, dirname)
  return [...counts]
    .filter(([path, files]) => path !== importPaths && files.length > maxSources)
    .map(([path, files]) => `${path} has ${files.length} sources, ${maxSources} are the most`)
}

/**
 * The files under `src` that are not TypeScript, which the compiler does not copy to `dist`, except the
 * one that `build.ts` copies.
 */
export function findForeignFiles(src: string): string[] {
  const copied = 'app/security/passwords/common-passwords.br'
  return listFiles(src).filter((path) => !path.endsWith('.ts') && path !== copied)
}

/** The files under `folder`, sorted, except in folders whose name starts with a dot. */
export function listFiles(folder: string): string[] {
  return globSync('**/*', { cwd: folder })
    .filter((path) => !path.startsWith('.') && !path.includes('/.'))
    .filter((path) => statSync(join(folder, path)).isFile())
    .toSorted()
}

function nameObjections(path: string): string[] {
  const stem = basename(path).replace(/(\.test)?\.ts$/, '')
  const folders = dirname(path).split('/')
  const vague = folders.find((name) => vagueFolders.has(name))
  return [
    ...(vagueFiles.has(stem) ? [`${path} has a name that says nothing: ${stem}`] : []),
    ...(vague === undefined ? [] : [`${path} lies in a folder that says nothing: ${vague}`]),
    ...(/^[a-z0-9]+(-[a-z0-9]+)*$/.test(stem) ? [] : [`${path} is not named in kebab-case`]),
  ]
}

function lengthObjections(path: string, content: string): string[] {
  const lines = content.replace(/\n$/, '').split('\n').length
  return lines > maxLines ? [`${path} has ${lines} lines, ${maxLines} are the most`] : []
}
