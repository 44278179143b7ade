import type { Router } from '../../../http/router/router.ts'
import { modulePath, serveModules } from '../../serve-modules.ts'
import { inspectorPath } from './inspector-path.ts'

const folder = 'inspector/in-page'

/** URL of an entry module. */
export function moduleUrl(name: 'activity' | 'list'): string {
  return `${inspectorPath}/page/${modulePath(folder, `dom/${name}`)}`
}

/** Declares the route that serves the modules in `in-page/` to browsers. */
export function declareInspectorModules(router: Router): void {
  serveModules(router, '/page', folder)
}
