import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { registerHooks } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const framework = resolve(import.meta.dirname, '../../framework')

/** A copy of the build from which all that a request does for tracing while it is off is cut out. */
const untracedBuild = join(framework, '.dist-untraced')

/** What is cut out, by file: the build as it is, and what remains. */
const cuts: readonly (readonly [file: string, from: RegExp, to: string])[] = [
  [
    'http/server/handle-request.js',
    /if \(!CurrentWork\.isFollowed\) \{\s+(channels\.received\(request\);\s+handle\(exchange, request, response\);)\s+return;\s+\}[^}]+\};/,
    '$1 };',
  ],
  [
    'http/observability/telemetry.js',
    /const exemplar = exemplarOf\(request\);/,
    'const exemplar = undefined;',
  ],
  ['activity/steps.js', / && !this\.#watchesTraced\)\s+return true;/, ') return true;'],
]

/**
 * Makes the copy. Returns a function that removes it.
 * @throws Error when the build no longer looks as expected.
 */
export async function buildUntraced(): Promise<() => Promise<void>> {
  const remove = (): Promise<void> => rm(untracedBuild, { recursive: true, force: true })
  await remove()
  await cp(join(framework, 'dist'), untracedBuild, { recursive: true })
  for (const [file, from, to] of cuts) {
    const path = join(untracedBuild, file)
    const code = await readFile(path, 'utf8')
    if (!from.test(code)) throw new Error(`${file} has changed: say anew what is cut out of it`)
    await writeFile(path, code.replace(from, to))
  }
  return remove
}

/** Makes every module of the build that is imported from now on that of the copy. */
export function useUntracedBuild(): void {
  const whole = `${pathToFileURL(join(framework, 'dist')).href}/`
  const untraced = `${pathToFileURL(untracedBuild).href}/`
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context)
      return { ...found, url: found.url.replace(whole, untraced) }
    },
  })
}
