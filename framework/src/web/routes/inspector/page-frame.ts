import { pageStyle } from '../../../base/debug-page/page-style.ts'
import { html } from '../../../base/reports/page-text.ts'
import { inspectorStyle } from './inspector-style.ts'
import { moduleUrl } from './page-modules.ts'

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
  const allowed = ` nonce="${html(nonce)}"`
  const values = Object.entries(data).map(([name, value]) => ` data-${name}="${html(`${value}`)}"`)
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${html(title)}</title>` +
    `<meta name="viewport" content="width=device-width, initial-scale=1">` +
    `<meta name="robots" content="noindex"><meta name="color-scheme" content="light dark">` +
    // Keeps browsers from requesting /favicon.ico.
    `<link rel="icon" href="data:,"><style${allowed}>${pageStyle}${inspectorStyle}</style></head>` +
    `<body${values.join('')}>${body}` +
    `<script type="module" src="${moduleUrl(module)}"${allowed}></script></body></html>\n`
  )
}
