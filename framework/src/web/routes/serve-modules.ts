import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { hasCode } from '../../base/files/has-code.ts'
import { HttpError } from '../errors/http-error.ts'
import type { Router } from '../router/router.ts'

/** The ending of modules: they import each other as `.ts` in the sources and as `.js` in the package. */
export const moduleEnding: string = extname(import.meta.filename)

const modulePath = new RegExp(`^(?:dom/)?[a-z]+(?:-[a-z]+)*\\${moduleEnding}$`)

/** Declares the route that serves the modules in a folder, and in `dom` inside it, to browsers. */
export function serveModules(router: Router, url: string, folder: string): void {
  router.get(`${url}/*path`, async ({ params }, response) =>
    response
      .header('Cache-Control', 'no-store')
      .text(await moduleText(folder, params['path'] ?? ''))
      .header('Content-Type', 'text/javascript; charset=utf-8'),
  )
}

async function moduleText(folder: string, path: string): Promise<string> {
  if (!modulePath.test(path)) throw new HttpError(404)
  const source = await readFile(join(folder, path), 'utf8').catch((error: unknown) => {
    throw hasCode(error, 'ENOENT') ? new HttpError(404) : error
  })
  if (moduleEnding !== '.ts') return source
  const { stripTypeScriptTypes } = await import('node:module')
  return stripTypeScriptTypes(source)
}
