import { globSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const vagueFolders = new Set(['utils', 'util', 'helpers', 'helper', 'common'])
const vagueFiles = new Set([...vagueFolders, 'types', 'index'])

/** Checks the names of the TypeScript files under `folder`: kebab-case, and they describe the content. */
export function checkFiles(folder: string): string[] {
  return listFiles(folder)
    .filter((file) => file.endsWith('.ts'))
    .flatMap(nameObjections)
}

/**
 * The files under `src` that are not TypeScript, which the compiler does not copy to `dist`, except those
 * that `build.ts` copies.
 */
export function findForeignFiles(src: string): string[] {
  const copied = [
    /^package\.json$|^errors\/page\/developer\.css$/,
    /^http\/messages\/|^(?:devtools\/[\w-]+|inbox|openapi)\/views\//,
    /^accounts\/(?:module\/(?:messages|public|views)\/|passwords\/common-(?:passwords\.br|password-parts\.txt)$)/,
  ]
  return listFiles(src).filter(
    (path) => !path.endsWith('.ts') && !copied.some((one) => one.test(path)),
  )
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
    ...(/^[a-z0-9]+(-[a-z0-9]+)*$/.test(stem) || isMigration(path)
      ? []
      : [`${path} is not named in kebab-case`]),
  ]
}

/** `framework make:migration` names them by time and with underscores. */
function isMigration(path: string): boolean {
  return /\/migrations\/\d{14}_[a-z0-9_]+\.ts$/.test(path)
}
