import { join } from 'node:path'
import { Views } from '../../base/templates/views.ts'
import { htmlDocument, nonceAttribute } from '../../errors/reports/html-document.ts'
import { html } from '../../errors/reports/page-text.ts'
import type { Router } from '../../http/router/router.ts'
import type { ToolFrame } from '../tools.ts'
import { modulePath, serveModules } from '../page-modules.ts'
import { countText, durationText, toneOf } from './format.ts'
import { inspectorPath } from './inspector-path.ts'

/** Parts of a page of the inspector. */
export interface PageParts {
  readonly title: string
  /** Its template and its entry module. */
  readonly view: 'activity' | 'list'
  /** Values for the template. */
  readonly values: Readonly<Record<string, unknown>>
  readonly frame: ToolFrame
  /** Values for the module. */
  readonly data: Readonly<Record<string, string | number>>
}

const views = new Views(join(import.meta.dirname, 'views'), {
  escape: html,
  globals: { countText, durationText, html, inspectorPath, toneOf },
})

/** A complete HTML document; besides its own module it loads nothing. */
export function documentOf({ title, view, values, frame, data }: PageParts): string {
  const body = views.render(view, values)
  const script = `<script type="module" src="${moduleUrl(view)}"${nonceAttribute(frame.nonce)}></script>`
  return htmlDocument({ title, page: 'inspector', body: body + script, ...frame, data })
}

const modules = join(import.meta.dirname, 'in-page')

/** URL of an entry module. */
export function moduleUrl(name: PageParts['view']): string {
  return `${inspectorPath}/page/${modulePath(modules, `dom/${name}`)}`
}

/** Declares the route that serves the modules to browsers. */
export function declareInspectorModules(router: Router): void {
  serveModules(router, '/page', modules)
}
