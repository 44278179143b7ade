import { nonceAttribute } from '../../errors/reports/html-document.ts'
import { html } from '../../errors/reports/page-text.ts'
import type { DescribedApi, OpenApiDocument } from '../open-api-document.ts'
import { documentOf } from '../../devtools/page-frame.ts'
import { modulePath } from '../../devtools/serve-modules.ts'
import { openApiStyle } from './open-api-style.ts'
import { operationPart } from './operation-part.ts'
import { schemaText } from './schema-text.ts'

/** The folder of its modules, for `serveModules`. */
export const modulesFolder = 'openapi/in-page'

/** What the page needs besides the document. */
export interface DocumentPageOptions {
  readonly nonce: string
  /** The CSRF token of the visitor; empty without sessions. */
  readonly token: string
  /** Whether requests can be looked up at `/inspect`. */
  readonly hasInspector: boolean
}

/** The page to read and try an API. Without its script it can be read. */
export function documentPage(
  { document, notes }: DescribedApi,
  { nonce, token, hasInspector }: DocumentPageOptions,
): string {
  const { info } = document
  const groups = grouped(document)
  const count = [...groups.values()].flat().length
  const body =
    `<header><nav aria-label="Site"><a href="/">Back to the site</a></nav><h1>${html(info.title)} ` +
    `<small>${html(info.version)}</small></h1>` +
    (info.description === undefined ? '' : `<p class="note">${html(info.description)}</p>`) +
    `<p class="count">${count} ${count === 1 ? 'operation' : 'operations'}, ` +
    `<a href="/openapi.json">the document</a> (OpenAPI ${html(document.openapi)})</p></header><main>` +
    (count === 0 ? emptyText : '') +
    notesPart(notes) +
    ('bearer' in document.components.securitySchemes ? tokenField : '') +
    [...groups].map(([tag, parts]) => `<h2>${html(tag)}</h2>${parts.join('')}`).join('') +
    schemasPart(document) +
    `</main><div id="page" hidden data-token="${html(token)}" data-inspector="${hasInspector ? '/inspect' : ''}"></div>` +
    `<script type="module" src="/openapi/page/${modulePath(modulesFolder, 'dom/try')}"${nonceAttribute(nonce)}></script>`
  return documentOf(`${info.title}: API`, body, nonce, openApiStyle)
}

const emptyText =
  `<p class="card none">No route is listed yet. Those that declare <code>body</code>, <code>query</code> or ` +
  `<code>problems</code> are, those in a group with <code>errors: 'json'</code>, and any with ` +
  `<code>openapi: {}</code>.</p>`

const tokenField =
  `<form class="card token" hidden><label>API token<input id="token" type="password" autocomplete="off" ` +
  `spellcheck="false"></label> <span class="note">Sent with each request while it is here; without one, ` +
  `requests are those of your session.</span></form>`

/** The operations as HTML, by their first tag. */
function grouped(document: OpenApiDocument): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const [tag = 'Others'] = operation.tags ?? []
      const part = operationPart(method, path, operation, document)
      groups.set(tag, [...(groups.get(tag) ?? []), part])
    }
  }
  return groups
}

function notesPart(notes: readonly string[]): string {
  if (notes.length === 0) return ''
  return `<ul class="card notes">${notes.map((note) => `<li>${html(note)}</li>`).join('')}</ul>`
}

function schemasPart({ components: { schemas } }: OpenApiDocument): string {
  const parts = Object.entries(schemas).map(
    ([name, schema]) =>
      `<section id="schema-${html(encodeURIComponent(name))}"><h3>${html(name)}</h3>` +
      `<pre class="card schema" tabindex="0">${schemaText(schema)}</pre></section>`,
  )
  return parts.length === 0 ? '' : `<h2>Schemas</h2>${parts.join('')}`
}
