import { readFile } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import { hasCode } from '../base/errors.ts'
import { HttpError } from '../http/errors/http-error.ts'
import type { Response } from '../http/response/response.ts'
import type { Router } from '../http/router/router.ts'

/** The ending of modules: they import each other as `.ts` in the sources and as `.js` in the package. */
const moduleEnding: string = extname(import.meta.filename)

/** Modules are served at their path below this folder, so that their imports of each other fit. */
const sources = join(import.meta.dirname, '..')

/** Modules that several pages use. */
const shared = join(import.meta.dirname, 'in-page')

/** The path of a module in a folder, below the URL of `serveModules`. */
export function modulePath(folder: string, name: string): string {
  return `${below(folder)}/${name}${moduleEnding}`
}

/**
 * Declares the route that serves the modules in a folder, those that pages share, and those in `dom`
 * inside them, to browsers.
 */
export function serveModules(router: Router, url: string, folder: string): void {
  const served = new RegExp(
    `^(?:${below(folder)}|${below(shared)})/(?:dom/)?[a-z]+(?:-[a-z]+)*\\${moduleEnding}$`,
  )
  router.get(`${url}/*path`, async ({ params }, response) => {
    const { path } = params
    if (!served.test(path)) throw new HttpError(404)
    return response
      .header('Cache-Control', 'no-store')
      .text(await moduleText(path))
      .header('Content-Type', 'text/javascript; charset=utf-8')
  })
}

/** Allows a page of ours only its style, its modules and requests to this site; forms if it has some. */
export function allowModules(response: Response, forms: 'none' | 'self' = 'none'): Response {
  const { nonce } = response
  return response.header(
    'Content-Security-Policy',
    `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; connect-src 'self'; ` +
      `img-src data:; base-uri 'none'; form-action '${forms}'; frame-ancestors 'none'`,
  )
}

function below(folder: string): string {
  return relative(sources, folder).replaceAll('\\', '/')
}

async function moduleText(path: string): Promise<string> {
  const source = await readFile(join(sources, path), 'utf8').catch((error: unknown) => {
    throw hasCode(error, 'ENOENT') ? new HttpError(404) : error
  })
  if (moduleEnding !== '.ts') return source
  const { stripTypeScriptTypes } = await import('node:module')
  return stripTypeScriptTypes(source)
}
