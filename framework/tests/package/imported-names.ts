import { execFileSync } from 'node:child_process'

/**
 * The names that `import` finds in each subpath, sorted. A separate process in `folder` imports them,
 * because a subpath may act on the process that loads it.
 */
export function importedNames(
  folder: string,
  subpaths: Iterable<string>,
  ...flags: string[]
): Record<string, string[]> {
  const script = `
    const found = {}
    for (const subpath of ${JSON.stringify([...subpaths])}) {
      found[subpath] = Object.keys(await import(subpath)).toSorted()
    }
    console.log(JSON.stringify(found))`
  const parameters = [...flags, '--input-type=module', '--eval', script]
  const printed = execFileSync(process.execPath, parameters, { cwd: folder, encoding: 'utf8' })
  return JSON.parse(printed.trim().split('\n').at(-1) ?? '')
}
