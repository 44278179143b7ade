import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { html } from './page-text.ts'

/** Parts of a page for developers. */
export interface HtmlDocumentOptions {
  readonly title: string
  /** Class of its body, by which `developer.css` knows the page. */
  readonly page: string
  readonly body: string
  /** HTML above it: links to other tools. @default '' */
  readonly tools?: string
  /** For the inline style, if a content security policy asks for one. @default '' */
  readonly nonce?: string
  /** Values for the script of the page, as attributes of the body. @default none */
  readonly data?: Readonly<Record<string, string | number>>
}

/** A complete HTML document that loads nothing by itself, and is not for search engines. */
export function htmlDocument({
  title,
  page,
  body,
  tools = '',
  nonce = '',
  data = {},
}: HtmlDocumentOptions): string {
  const values = Object.entries(data).map(([name, value]) => ` data-${name}="${html(`${value}`)}"`)
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${html(title)}</title>` +
    `<meta name="viewport" content="width=device-width, initial-scale=1">` +
    `<meta name="robots" content="noindex"><meta name="color-scheme" content="light dark">` +
    `<link rel="icon" href="${icon}"><style${nonceAttribute(nonce)}>${developerStyle()}</style></head>` +
    `<body class="${page}"${values.join('')}>${tools}${body}</body></html>\n`
  )
}

// Keeps browsers from requesting /favicon.ico, too. Readable in light and dark tabs.
const icon =
  'data:image/svg+xml,' +
  encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" ` +
      `fill="#c0342b"/><path d="M4 5l3 3-3 3M8.5 11.5H12" fill="none" stroke="#fff" stroke-width="2" ` +
      `stroke-linecap="round" stroke-linejoin="round"/></svg>`,
  )

/** The attribute of an inline style or a script; empty without a nonce. */
export function nonceAttribute(nonce: string): string {
  return nonce === '' ? '' : ` nonce="${html(nonce)}"`
}

/** The style of all pages for developers. */
export const developerStyle: () => string = lateStyle(
  join(import.meta.dirname, '../page/developer.css'),
)

/**
 * A style sheet without its comments, read when it is first needed: most processes never show such a page.
 * Empty if it cannot be read: an error is shown without a style rather than not at all.
 */
export function lateStyle(path: string): () => string {
  let style: string | null = null
  return () => {
    try {
      return (style ??= minified(readFileSync(path, 'utf8')))
    } catch {
      return ''
    }
  }
}

function minified(css: string): string {
  return css.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/\n\s*/g, '\n')
}
