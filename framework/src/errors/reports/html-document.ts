import { html } from './page-text.ts'

/** Parts of a page of the framework. */
export interface HtmlDocumentOptions {
  readonly title: string
  readonly style: string
  readonly body: string
  /** For the inline style, if a content security policy asks for one. @default '' */
  readonly nonce?: string
  /** Values for the script of the page, as attributes of the body. @default none */
  readonly data?: Readonly<Record<string, string | number>>
}

/** A complete HTML document that loads nothing by itself, and is not for search engines. */
export function htmlDocument({
  title,
  style,
  body,
  nonce = '',
  data = {},
}: HtmlDocumentOptions): string {
  const values = Object.entries(data).map(([name, value]) => ` data-${name}="${html(`${value}`)}"`)
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${html(title)}</title>` +
    `<meta name="viewport" content="width=device-width, initial-scale=1">` +
    `<meta name="robots" content="noindex"><meta name="color-scheme" content="light dark">` +
    // Keeps browsers from requesting /favicon.ico.
    `<link rel="icon" href="data:,"><style${nonceAttribute(nonce)}>${style}</style></head>` +
    `<body${values.join('')}>${body}</body></html>\n`
  )
}

/** The attribute of an inline style or a script; empty without a nonce. */
export function nonceAttribute(nonce: string): string {
  return nonce === '' ? '' : ` nonce="${html(nonce)}"`
}
