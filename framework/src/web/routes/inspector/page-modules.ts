import { join } from 'node:path'
import type { Router } from '../../router/router.ts'
import { moduleEnding, serveModules } from '../serve-modules.ts'
import { inspectorPath } from './inspector-path.ts'

/** URL of an entry module. */
export function moduleUrl(name: 'activity' | 'list'): string {
  return `${inspectorPath}/page/dom/${name}${moduleEnding}`
}

/** Declares the route that serves the modules in `in-page/` to browsers. */
export function declareInspectorModules(router: Router): void {
  serveModules(router, '/page', join(import.meta.dirname, 'in-page'))
}
