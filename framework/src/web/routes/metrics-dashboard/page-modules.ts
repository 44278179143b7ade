import { join } from 'node:path'
import type { Router } from '../../router/router.ts'
import { moduleEnding, serveModules } from '../serve-modules.ts'

/** URL of the entry module, relative to that of the page. */
export const pageModule: string = `metrics/page/dom/dashboard${moduleEnding}`

/** Declares the route that serves the modules in `in-page/` to browsers. */
export function declarePageModules(router: Router): void {
  serveModules(router, '/metrics/page', join(import.meta.dirname, 'in-page'))
}
