import type { Router } from '../../http/router/router.ts'
import { modulePath, serveModules } from '../serve-modules.ts'

const folder = 'metrics-dashboard/in-page'

/** URL of the entry module, relative to that of the page. */
export const pageModule: string = `metrics/page/${modulePath(folder, 'dom/dashboard')}`

/** Declares the route that serves the modules in `in-page/` to browsers. */
export function declarePageModules(router: Router): void {
  serveModules(router, '/metrics/page', folder)
}
