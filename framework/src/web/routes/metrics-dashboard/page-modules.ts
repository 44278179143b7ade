import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { hasCode } from '../../../base/files/has-code.ts'
import { HttpError } from '../../errors/http-error.ts'
import type { Router } from '../../router/router.ts'

const folder = join(import.meta.dirname, 'in-page')
// Modules import each other as `.ts` in the sources and as `.js` in the package.
const ending = extname(import.meta.filename)
const modulePath = new RegExp(`^(?:dom/)?[a-z]+(?:-[a-z]+)*\\${ending}$`)

/** URL of the entry module, relative to that of the page. */
export const pageModule: string = `metrics/page/dom/dashboard${ending}`

/** Declares the route that serves the modules in `in-page/` to browsers. */
export function declarePageModules(router: Router): void {
  router.get('/metrics/page/*path', async ({ params }, response) =>
    response
      .header('Cache-Control', 'no-store')
      .text(await moduleText(params.path))
      .header('Content-Type', 'text/javascript; charset=utf-8'),
  )
}

async function moduleText(path: string): Promise<string> {
  if (!modulePath.test(path)) throw new HttpError(404)
  const source = await readFile(join(folder, path), 'utf8').catch((error: unknown) => {
    throw hasCode(error, 'ENOENT') ? new HttpError(404) : error
  })
  if (ending !== '.ts') return source
  const { stripTypeScriptTypes } = await import('node:module')
  return stripTypeScriptTypes(source)
}
