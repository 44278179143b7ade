import { toError } from '../../base/to-error.ts'
import { markdownReport } from './markdown-report.ts'
import { sectionsOf, table } from './page-context.ts'
import type { PageContext, Section } from './page-context.ts'
import { chainLinks, chainedError, errorBody, errorHeading } from './page-error.ts'
import { describe } from '../reports/description.ts'
import type { Description } from '../reports/description.ts'
import { htmlDocument, nonceAttribute } from '../reports/html-document.ts'
import { html } from '../reports/page-text.ts'

export type { PageContext }

/** How a debug page is made. */
export interface PageOptions {
  /** Nonce of the inline style and script, for a content security policy. */
  readonly nonce?: string
  /** Id of the request that failed. */
  readonly request?: string
  /** URL of the page with everything else about that request. @default none */
  readonly inspector?: string
  /** The statement that failed, without its values. @default none */
  readonly statement?: string
  /** More sections, folded, above the error. @default none */
  readonly folded?: PageContext
  /** Folder that file paths are shown relative to. @default process.cwd() */
  readonly root?: string
}

/**
 * The only script of the page: a button that copies the error as Markdown. Where the clipboard is
 * not available, such as without TLS on another host, the text is shown for copying by hand.
 */
const pageScript: string = `
const button = document.getElementById('copy')
const text = document.getElementById('markdown')
// Firefox restores the choices of the error that was here before.
for (const frame of document.querySelectorAll('[type=radio]')) frame.checked = frame.defaultChecked
const copied = document.getElementById('copied')
if (button && text.value !== '') {
  button.hidden = false
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text.value)
      copied.textContent = 'Copied'
    } catch {
      text.hidden = false
      text.focus()
      text.select()
      copied.textContent = 'Copy the text below'
      text.scrollIntoView()
    }
  })
}
`.replaceAll(/\n\s*/g, '\n')

/**
 * The debug page for developers: one document without external assets that also works without its
 * script. All text is escaped and secrets are redacted. Never throws.
 */
export const Page: Readonly<{
  render(throwable: unknown, context?: PageContext, options?: PageOptions): string
}> = Object.freeze({
  render(throwable: unknown, context: PageContext = {}, options: PageOptions = {}): string {
    try {
      return page(throwable, context, options)
    } catch {
      // Every property of an error can be a getter that throws.
      return documentOf('Error', '', unreadable, options)
    }
  },
})

const unreadable = '<main><h1>A value was thrown that cannot be displayed.</h1></main>'

function page(throwable: unknown, context: PageContext, options: PageOptions): string {
  const {
    root = process.cwd(),
    request = '',
    inspector = '',
    statement = '',
    folded = {},
  } = options
  const descriptions = describe(toError(throwable))
  const [outer, ...others] = descriptions
  if (outer === undefined) return documentOf('Error', '', unreadable, options)
  const [sections, first] = [sectionsOf(context), sectionsOf(folded)]
  let main = first
    .map(
      ({ title, rows }) =>
        `<details class="folded"><summary>${html(title)}</summary>${table(rows)}</details>`,
    )
    .join('')
  main += `<section class="error">${errorBody(outer, 0, root)}</section>`
  for (const [at, description] of others.entries()) main += chainedError(description, at + 1, root)
  const body =
    `<header>${errorHeading(outer, 1, root)}${statement === '' ? '' : `<pre class="rest">${html(statement)}</pre>`}` +
    `${tools(request, inspector)}${chainLinks(descriptions)}</header>` +
    `<main>${main}${contextSection(sections)}</main>`
  return documentOf(
    titleOf(outer),
    markdownReport(descriptions, [...first, ...sections], { root, request }),
    body,
    options,
  )
}

function titleOf({ class: name, message }: Description): string {
  return `${name}: ${message.slice(0, 80)}`
}

function tools(request: string, inspector: string): string {
  const code = `<code>${html(request)}</code>`
  const shown = inspector === '' ? code : `<a href="${html(inspector)}">${code}</a>`
  const id = request === '' ? '' : `<span>Request ${shown}</span>`
  return (
    `<p class="tools">${id}<button type="button" id="copy" hidden>Copy as Markdown</button>` +
    `<span id="copied" role="status"></span></p>`
  )
}

function contextSection(sections: readonly Section[]): string {
  if (sections.length === 0) return ''
  let parts = ''
  for (const { title, rows } of sections) {
    parts += `<section><h3 class="title">${html(title)}</h3>${table(rows)}</section>`
  }
  return `<section class="context"><h2>Context</h2><div class="tables">${parts}</div></section>`
}

function documentOf(
  title: string,
  markdown: string,
  body: string,
  { nonce = '' }: PageOptions,
): string {
  const footer =
    `<footer><textarea id="markdown" aria-label="The error as Markdown" readonly hidden>\n${html(markdown)}` +
    `</textarea></footer><script${nonceAttribute(nonce)}>${pageScript}</script>`
  return htmlDocument({ title, page: 'debug', body: body + footer, nonce })
}
