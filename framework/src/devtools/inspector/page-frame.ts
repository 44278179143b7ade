import { join } from 'node:path'
import { pageStyle } from '../../errors/page/page-style.ts'
import { htmlDocument, nonceAttribute } from '../../errors/reports/html-document.ts'
import type { Router } from '../../http/router/router.ts'
import { modulePath, serveModules } from '../page-modules.ts'
import { inspectorPath } from './inspector-path.ts'
import { inspectorStyle } from './inspector-style.ts'

/** Parts of a page of the inspector. */
export interface PageParts {
  readonly title: string
  readonly body: string
  /** Its entry module. */
  readonly module: 'activity' | 'list'
  readonly nonce: string
  /** Values for the module. */
  readonly data: Readonly<Record<string, string | number>>
}

/** A complete HTML document; besides its own module it loads nothing. */
export function documentOf({ title, body, module, nonce, data }: PageParts): string {
  const script = `<script type="module" src="${moduleUrl(module)}"${nonceAttribute(nonce)}></script>`
  return htmlDocument({
    title,
    body: body + script,
    nonce,
    data,
    style: pageStyle + inspectorStyle,
  })
}

const modules = join(import.meta.dirname, 'in-page')

/** URL of an entry module. */
export function moduleUrl(name: PageParts['module']): string {
  return `${inspectorPath}/page/${modulePath(modules, `dom/${name}`)}`
}

/** Declares the route that serves the modules to browsers. */
export function declareInspectorModules(router: Router): void {
  serveModules(router, '/page', modules)
}
